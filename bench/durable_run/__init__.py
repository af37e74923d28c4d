"""The parts of bench/durable."""
