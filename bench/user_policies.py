"""The yardstick's policies as a user would write them, to measure what a user's policy costs."""

import flip7sim as f7


@f7.stay_policy
def stay_at(table, seat, points=25.0):
    """Stay when the line is worth `points` or more."""
    return f7.line_score(table, seat) >= points


@f7.targeting_policy
def strongest_rival(table, seat):
    """Choose the rival with the most points; give a Second Chance to the next seat."""
    best, most = 0, -1.0
    if table.ask == f7.ASK_SECOND_CHANCE:
        return 0
    for option in range(table.n_options):
        rival = table.options[option].seat
        points = table.total[rival] + f7.line_score(table, rival)
        if rival != seat and points > most:
            best, most = option, points
    return best
