"""The two games side by side, and where the difference of their scores comes from."""
