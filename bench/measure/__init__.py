"""Measures Atoll against its peers and against bare limits. Entry: `bench/run.sh`."""
