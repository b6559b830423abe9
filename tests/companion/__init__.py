"""The companion: its merge against ours, and its pages in a real Chromium."""
