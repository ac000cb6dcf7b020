"""Self-tests: of an installation, of its speed, and of policies from elsewhere."""
