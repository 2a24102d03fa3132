#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executes notebooks-data/isr_and_hw.ipynb in a copy of its folder; a failing cell fails the test.

usage: run_notebook.py SOURCE_DIR
"""
import os
import shutil
import subprocess
import sys
import tempfile


def main():
    try:
        import matplotlib  # noqa: F401
        import nbconvert  # noqa: F401
        import pandas  # noqa: F401
    except ImportError as missing:
        print(f"skipped: {missing} (packages python3-pandas python3-matplotlib jupyter-nbconvert)")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as work:
        folder = os.path.join(work, "notebooks-data")
        shutil.copytree(os.path.join(sys.argv[1], "notebooks-data"), folder)
        subprocess.run(
            [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute",
             "--ExecutePreprocessor.timeout=300", "--output", "done.ipynb", "isr_and_hw.ipynb"],
            cwd=folder, check=True)
        if not os.path.exists(os.path.join(folder, "isr_and_hw.png")):
            sys.exit("the notebook drew no picture")


if __name__ == "__main__":
    main()
