"""`python -m household.box`: the same as `manage.py up`, without loading Django first."""

import sys

from household.box.supervisor import main

sys.exit(main())
