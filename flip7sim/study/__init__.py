"""Questions asked of the simulator and of the exact solvers: each module answers one."""
