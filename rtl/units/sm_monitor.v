// sm_monitor - what every SM has done, counted: one array of counters, always on, for all
// limiters of CTAs.
//
// Purpose
//   Limiters such as those that sample the stalls of an SM read these counts. Each SM has a
//   counter of its own; there is nothing else.
//
//                     N_SM of them
//                    +---------------------+
//   cycle_i, ... --->|u_counter: sm_counter|---> cycles_o, instructions_o, starts_o, ends_o
//   clear_i -------->|                     |
//                    +---------------------+
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM           SMs, 1..192
//   N_SCHEDULER    warp schedulers of an SM, 1..4
//   COUNT_W        bits of a count, 1..32
//
// Ports            width        meaning
//   clk            1            clock, rising edge
//   rst_i          1            reset, synchronous, active high
//   cycle_i        3*N_SCHEDULER * N_SM what each scheduler of each SM does in this cycle, as in sm_counter; those of
//                                       SM 0 first
//   issued_i       ISSUE_W*N_SM warp instructions that each SM issues in this cycle
//   started_i      3*N_SM       CTAs that start on each SM in this cycle
//   ended_i        3*N_SM       CTAs that end on each
//   clear_i        N_SM         bit s: the counts of SM s begin again, with what is counted in this cycle
//   cycles_o       COUNT_W*7 * N_SM cycles of each SM: the seven of sm_counter, those of SM 0 first
//   instructions_o COUNT_W*N_SM warp instructions that each SM has issued
//   starts_o       COUNT_W*N_SM CTAs started on each SM
//   ends_o         COUNT_W*N_SM CTAs ended on each SM
//
// Paths
//   none: every output depends on state alone
//
// Timing
//   What happens in a cycle is in the counts of the next one.
//
// Contract
//   Count      each SM has a counter, which counts, wraps and is cleared as sm_counter says. No SM's counts depend on
//              another SM.
//   Read       all counts of all SMs are outputs, straight from the registers. A limiter is itself an array with an
//              element per SM, and its periods end on each SM in a cycle of its own. So it reads its SM's counts in
//              any cycle, and no limiter waits for another one. A port that shows one SM per cycle would add a
//              selector, and all but one of the SMs that end a period together would be sampled late.
//   Illegal    there is no illegal stimulus.
//
// Reset
//   Every count is 0. Outputs do not depend on rst_i, and nothing is counted while it is high.
//
// Twin     sm_monitor.c: equal outputs, and equal registers of all counters, in every cycle
//          after the first reset edge.
//
// Source
//   The array is ours; what it counts is that of sm_counter.
//
// Deviations
//   - Those of its parts. In the source each mechanism has counters of its own. Here they share one set: whoever does
//     not clear takes differences.

`default_nettype none

module sm_monitor #(
    parameter integer N_SM = 15,
    parameter integer N_SCHEDULER = 2,
    parameter integer COUNT_W = 32,
    parameter integer ISSUE_W = $clog2(2 * N_SCHEDULER + 1) // derived, never overridden
) (
    input  wire                          clk,
    input  wire                          rst_i,
    input  wire [3*N_SCHEDULER*N_SM-1:0] cycle_i,
    input  wire [ISSUE_W*N_SM-1:0]       issued_i,
    input  wire [3*N_SM-1:0]             started_i,
    input  wire [3*N_SM-1:0]             ended_i,
    input  wire [N_SM-1:0]               clear_i,
    output wire [COUNT_W*7*N_SM-1:0]     cycles_o,
    output wire [COUNT_W*N_SM-1:0]       instructions_o,
    output wire [COUNT_W*N_SM-1:0]       starts_o,
    output wire [COUNT_W*N_SM-1:0]       ends_o
);

    // A bad value instantiates a module that does not exist; its name is the message.
    generate
        if (N_SM < 1 || N_SM > 192 || N_SCHEDULER < 1 || N_SCHEDULER > 4
            || COUNT_W < 1 || COUNT_W > 32
            || ISSUE_W != $clog2(2 * N_SCHEDULER + 1)) begin : g_check
            sm_monitor_needs_N_SM_1_to_192_N_SCHEDULER_1_to_4_COUNT_W_1_to_32 u_stop ();
        end
    endgenerate

    // Blocks and not assignments: Verilator makes one expression of all assignments to pieces of
    // a vector, and with 43,000 bits that takes it 20 times as long as all the counters.
    reg [COUNT_W*7*N_SM-1:0] cycles;
    reg [COUNT_W*N_SM-1:0]   instructions;
    reg [COUNT_W*N_SM-1:0]   starts;
    reg [COUNT_W*N_SM-1:0]   ends;
    genvar                   s;
    generate
        for (s = 0; s < N_SM; s = s + 1) begin : g_counter
            wire [COUNT_W*7-1:0] its_cycles;
            wire [COUNT_W-1:0]   its_instructions;
            wire [COUNT_W-1:0]   its_starts;
            wire [COUNT_W-1:0]   its_ends;
            always @* begin
                cycles[COUNT_W*7*s +: COUNT_W*7]   = its_cycles;
                instructions[COUNT_W*s +: COUNT_W] = its_instructions;
                starts[COUNT_W*s +: COUNT_W]       = its_starts;
                ends[COUNT_W*s +: COUNT_W]         = its_ends;
            end
            sm_counter #(
                .N_SCHEDULER(N_SCHEDULER),
                .COUNT_W(COUNT_W)
            ) u_counter (
                .clk(clk),
                .rst_i(rst_i),
                .cycle_i(cycle_i[3*N_SCHEDULER*s +: 3*N_SCHEDULER]),
                .issued_i(issued_i[ISSUE_W*s +: ISSUE_W]),
                .started_i(started_i[3*s +: 3]),
                .ended_i(ended_i[3*s +: 3]),
                .clear_i(clear_i[s]),
                .cycles_o(its_cycles),
                .instructions_o(its_instructions),
                .starts_o(its_starts),
                .ends_o(its_ends)
            );
        end
    endgenerate

    assign cycles_o       = cycles;
    assign instructions_o = instructions;
    assign starts_o       = starts;
    assign ends_o         = ends;

    // ---- Properties, proved by induction -----------------------------------

`ifdef FORMAL
    reg f_started = 1'b0; // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    // One SM, whichever it is, and what it has done since its last clear or reset.
    (* anyconst *) reg [7:0] f_sm;
    always @* assume (f_sm < N_SM);

    reg [COUNT_W-1:0] f_total;
    reg [COUNT_W-1:0] f_counted;
    integer           f_k;
    always @* begin
        f_total   = 0;
        f_counted = 0;
        for (f_k = 0; f_k < 7; f_k = f_k + 1)
            f_total = f_total + cycles[COUNT_W * (7 * f_sm + f_k) +: COUNT_W];
        for (f_k = 0; f_k < N_SCHEDULER; f_k = f_k + 1)
            f_counted = f_counted + (cycle_i[3 * (N_SCHEDULER * f_sm + f_k) +: 3] != 0);
    end

    reg [COUNT_W-1:0] f_cycles;
    reg [COUNT_W-1:0] f_issued;
    reg [COUNT_W-1:0] f_starts;
    reg [COUNT_W-1:0] f_ends;
    wire f_clear = clear_i[f_sm];
    always @(posedge clk) begin
        if (rst_i) begin
            f_cycles <= 0;
            f_issued <= 0;
            f_starts <= 0;
            f_ends   <= 0;
        end else begin
            f_cycles <= (f_clear ? 0 : f_cycles) + f_counted;
            f_issued <= (f_clear ? 0 : f_issued) + issued_i[ISSUE_W*f_sm +: ISSUE_W];
            f_starts <= (f_clear ? 0 : f_starts) + started_i[3*f_sm +: 3];
            f_ends   <= (f_clear ? 0 : f_ends) + ended_i[3*f_sm +: 3];
        end
    end

    always @(posedge clk) begin
        if (f_started) begin
            a_cycles : assert (f_total == f_cycles);
            a_issued : assert (instructions[COUNT_W*f_sm +: COUNT_W] == f_issued);
            a_starts : assert (starts[COUNT_W*f_sm +: COUNT_W] == f_starts);
            a_ends   : assert (ends[COUNT_W*f_sm +: COUNT_W] == f_ends);
            c_clear  : cover (f_clear && f_total != 0 && !rst_i);
            c_rest   : cover (f_total != 0 && $past(f_total == f_cycles && !rst_i && f_counted == 0));
        end
    end
`endif

endmodule

`default_nettype wire
