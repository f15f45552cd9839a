"""What runs within the sandbox; the folder is bound into it, where this package is called `inside`.

Hence the standard library and relative imports alone. Nothing of it is trusted by what is outside.
"""
