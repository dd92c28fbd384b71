# SPDX-License-Identifier: Apache-2.0
# Lint of the texts: versions, line lengths, links, the trees of modules, the templates and tables of the integration page.
.PHONY: lint-documents
lint: lint-documents
lint-documents:
	@.ci/tools/check_versions .
	@.ci/tools/check_documents .
	@.ci/tools/check_tree .
	@.ci/tools/check_integration . build/documents/integration

# The checks are shown to fail, too.
TEST_ITEMS += lint-documents document-checks
BESIDE_ITEMS += lint-documents document-checks
LONG_ITEMS += document-checks
TEST_lint-documents = $(MAKE) lint-documents
TEST_document-checks = .ci/tools/check_document_checks build/documents/checks
CHECK_ITEMS += lint-documents
