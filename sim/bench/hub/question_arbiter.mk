# SPDX-License-Identifier: Apache-2.0
# Bench of the turns of a hub's askers at the address path.
BENCHES += question_arbiter
BENCH_question_arbiter_CONFIGS := $(addprefix question-arbiter-,1 2 3 4)
BENCH_question_arbiter_ARGS := --events 100000
BENCH_question_arbiter_FAULTS := question-ready-to-all question-taken-late question-port-behind question-turn-stays \
	question-every-other question-operation-stuck question-tag-of-port question-ready-beside
