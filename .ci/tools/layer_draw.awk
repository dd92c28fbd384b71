# SPDX-License-Identifier: Apache-2.0
# The options of a random run of a layer, a line each (layer_random): awk -v kind=long|short -v seed=N -v limits="..." -f ...
# The same of the same kind, seed and limits. kind=timed (layer_packet_random): of two GPUs, with nothing that the packet level
# has not.
function between(least, most) { return least + int(rand() * (most - least + 1)) }

function one_of(list,    items, count) {
    count = split(list, items, " ")
    return items[between(1, count)]
}

function option(name, value) { print "--" name "\n" value }

function least_of(a, b) { return a < b ? a : b }

# Rounds that go on together share the hub's tiles and tokens.
function overlap(most,    room) {
    option("overlap", 1)
    option("rounds", between(2, most))
    tiles = int(tiles / contexts)
    for (room = 1; 2 * room * contexts <= tokens;)
        room *= 2
    rows = least_of(rows, room)
    phases = "fused fused dispatch"
}

# MOST tokens a GPU, and rows of ELEMENTS, at most; LATENCY of links, LEAST and VARIATION of memories, GEMM: cycles at most.
function draw(most, elements, latency, least, variation, gemm,    experts, own, shift, memory) {
    experts = between(gpus, gpus * local_experts)
    topk = between(1, least_of(targets, experts))
    own = between(1, least_of(rows, most))
    while (int(own * gpus * topk / 2 ^ shift) + 2 * local_experts > tiles)
        shift++
    memory = between(1, least)
    option("experts", experts)
    option("topk", topk)
    option("tokens", own)
    option("tile-shift", shift + between(0, kind == "long"))
    option("hidden", 16 * between(1, int(elements / 16)))
    option("type", one_of("fp8 bf16"))
    option("latency", between(1, latency))
    option("memory-least", memory)
    option("memory-most", memory + between(0, variation))
    option("stall", one_of("none light heavy bursts mixed"))
    option("phase", one_of(phases))
    option("routing", one_of("uniform zipf:1.2 normal:0.5"))
    option("rows-open", between(1, 8))
    option("window", one_of("1 2 4 16"))
    option("tokens-asked", between(1, 8))
    option("gemm", between(1, gemm))
}

function withhold(cycles) {
    option("withholder", between(0, gpus - 1))
    option("withheld", one_of("handles events sums done memory credits links"))
    option("withheld-cycles", between(4, cycles)) # a link is down for four or more
}

# What is lost with a link that falls is known to nobody.
function fall(after, cycles) {
    option("withholder", between(0, gpus - 1))
    option("withheld", "links")
    option("withheld-after", between(1, after))
    option("withheld-cycles", between(4, cycles))
    if (links > 1 && between(0, 1))
        option("withheld-plane", between(0, links - 1))
    option("timeout", 60000)
    option("group-timeout", 25000)
}

# Its lost tokens come by the time-out, which must be longer than the layer.
function abort(timeout) {
    option("abort", between(0, gpus - 1))
    option("timeout", timeout)
}

# The others end each round by their time-outs.
function silent(timeout) {
    option("silent", between(0, gpus - 1))
    option("timeout", timeout)
}

function draw_short(    together) {
    together = contexts > 2 && between(0, 2) == 0
    if (together)
        overlap(4)
    draw(3, least_of(elements, 192), 40, 30, 60, 60)
    option("counted", 0)
    option("threads", 1)
    if (between(0, 3) == 0)
        withhold(600)
    else if (together && between(0, 3) == 0)
        silent(20000)
    else if (together)
        return
    else if (between(0, 3) == 0)
        fall(3000, 600)
    else if (between(0, 5) == 0)
        abort(20000)
}

function bad_packets() {
    if (topk <= 16)
        option("bad-packets", between(30, 300))
}

# Writes fail in the first round alone: a later one has sums, whatever fails.
function misuse(which, together) {
    if (!together)
        option("rounds", between(which == 4 ? 2 : 1, 3))
    if (which == 0)
        option("bad-items", between(3, 20))
    else if (which == 1)
        bad_packets()
    else if (which == 2)
        withhold(4000)
    else if (which == 3)
        option("read-errors", between(2, 60))
    else if (which == 4)
        option("write-errors", between(2, together ? 20 : 8))
    else if (which == 5)
        abort(60000)
    else if (which == 6) {
        option("counted", 0)
        fall(8000, 1000)
    } else if (which == 7)
        silent(40000)
}

function draw_long(    together) {
    together = contexts > 2 && between(0, 6) == 0
    if (together)
        overlap(5)
    draw(4096, elements, 150, 120, 200, 800)
    misuse(between(0, 9), together)
}

function draw_timed(    experts, memory) {
    experts = between(2, 32)
    memory = between(50, 550)
    option("experts", experts)
    option("topk", between(1, least_of(experts, 8)))
    option("tokens", between(1, 60))
    option("hidden", 128 * between(1, 8))
    option("type", one_of("fp8 bf16"))
    option("tile-shift", between(0, 3))
    option("latency", between(20, 420))
    option("memory-least", memory)
    option("memory-most", memory + between(0, 150))
    option("gemm", between(50, 850))
    option("rows-open", between(1, 8))
    option("window", one_of("1 2 4 8 16"))
    option("tokens-asked", between(1, 32))
}

BEGIN {
    split(limits, limit, " ")
    gpus = limit[1]; local_experts = limit[2]; targets = limit[3]; elements = limit[4]; rows = limit[5]; tiles = limit[6]
    tokens = limit[7]; contexts = limit[8]; links = limit[9]
    phases = "fused unfused"
    srand(seed)
    rand() # the first one after a small seed is near that of the next seed
    if (kind == "timed") {
        draw_timed()
        exit
    }
    if (kind == "short")
        draw_short()
    else
        draw_long()
    option("nops", one_of("0 1 2 5"))
    option("store-parts", one_of("1 1 2 3 8"))
}
