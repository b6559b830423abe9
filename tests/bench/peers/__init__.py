"""Other programs of this field, measured beside ours: each in a process of its own, with a Python of its own.

`make peers` installs them into `.peers`, apart from the product. Where one is missing its figures are left
out, and the measures fall back to what it was measured at on another day.
"""
