"""Exact answers: probabilities and dynamic programming, no sampling.

========================  ====================================================================
module                    answers
========================  ====================================================================
`probability`             bust and survival chances as fractions, both games
`round`                   the base-game solitaire round solved, cached on disk
`evaluate`                one stay rule's exact figures in that round
`race`                    the fewest expected rounds to the target
`odds`                    one hand: hit or stay; `look_ahead` what the next card leads to
`optimal`                 solutions as arrays that a compiled policy reads
`rule_card`               a solution in a few words; `rule_losses` what such rules lose
`vengeance`               the solitaire round of Flip 7: With a Vengeance
========================  ====================================================================
"""
