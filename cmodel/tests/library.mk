# SPDX-License-Identifier: Apache-2.0
# The libraries as a user meets them: their names, their headers, a program of one's own.
TEST_ITEMS += library
CHECK_ITEMS += library
TEST_library = $(MAKE) cmodel && cmodel/tests/check_library build/lib build/library
