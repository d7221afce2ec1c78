// dyncta - how many CTAs an SM may have, by how often it is idle and how often it waits for
// memory: one more or one less after each period, for as long as a kernel runs.
//
// Purpose
//   An SM that is idle, or seldom waits for memory, can do with more CTAs; one that often waits
//   for memory has too many. Three counts, each with one adder, begin again when the first of
//   them has come to the period. What the other two have come to then moves the limit.
//
//                         .--------- judges ---------.
//                         v                          |
//   idle_i, memory_i --> (+) --> idle_q, memory_q    |  elapsed_q >= period_i
//                         ^            |  |          |
//                         '------------'  v          v
//      t_idle_i, t_mem_low_i, t_mem_high_i (< >) --> +1, -1 or 0 --> limit_q --> limit_o
//
// Parameters, outside of whose ranges it does not elaborate
//   CTA_W        bits of a number of CTAs, 1..6
//   COUNT_W      bits of a count of cycles, 1..32
//
// Ports          width        meaning
//   clk          1            clock, rising edge
//   rst_i        1            reset, synchronous, active high
//   restart_i    1            another kernel issues its CTAs: the limit begins again
//   n_max_i      CTA_W        CTAs of it that fit an empty SM, read with restart
//   idle_i       3            warp schedulers whose cycle is idle
//   memory_i     3            warp schedulers whose cycle is a scoreboard stall for memory: all that wait in it wait
//                             for memory
//   paused_i     1            the SM is paused: the cycle does not count
//   period_i     COUNT_W      cycles from a decision to the next
//   t_idle_i     COUNT_W      with more idle cycles in a period the limit rises
//   t_mem_low_i  COUNT_W      otherwise, with fewer memory cycles in it, too
//   t_mem_high_i COUNT_W      otherwise, with more memory cycles in it, the limit falls
//   limit_o      CTA_W        CTAs that the SM may have: N
//   judged_o     1            a period was judged in the last cycle
//
// Paths
//   none: every output depends on state alone
//
// Timing
//   The limit changes in the cycle after that in which a period is judged, or a restart is
//   seen. Every cycle is counted, also the one that judges.
//
// Contract
//   Restart    n_max is the new Nmax, and limit is ceil(Nmax/2) from the next cycle on. A period begins with that
//              cycle. All else in the cycle of a restart is ignored.
//   Period     `period` cycles. C_idle and C_mem are the sums of `idle` and `memory` over them. A period is judged in
//              the first cycle after it that is not paused, which is the first cycle of the next period. limit shows
//              the decision, and judged is high, in the cycle after that.
//   Judgement  C_idle > t_idle: N + 1. Otherwise C_mem < t_mem_low: N + 1. Otherwise C_mem > t_mem_high: N - 1.
//              Otherwise N stays. At Nmax, and at 1, it stays in any case. period and the three thresholds are those
//              of the cycle that judges.
//   Paused     a paused cycle without a restart changes nothing but judged, which falls.
//   Promises   limit is from 1 to n_max after a restart with n_max > 0. It changes only with a restart, or by one with
//              a judgement. Judgements never end.
//   Full       the three counts stop at their highest number.
//   Illegal    with n_max = 0 limit is 0. With t_mem_low > t_mem_high the limit rises where both would hold. With a
//              period of 0 each cycle judges the one before it, and the first one an empty period. If `period` becomes
//              less than what has passed of the running one, that ends.
//
// Reset
//   All registers are 0: limit is 0 until a restart. Outputs do not depend on rst_i.
//
// Twin     dyncta.c: equal outputs, registers and memories in every cycle after the first
//          reset edge.
//
// Source
//   DYNCTA, as Awatramani retells it in "Workload-aware scheduling techniques for general purpose applications on
//   graphics processing units", dissertation, sections 4.3.4.2 and 4.4.5.1.
//
// Deviations
//   - The start is printed as Nmax between signs of rounding up, which have nothing to round. Built: half of Nmax.
//   - 4.3.4.2 has one threshold of C_mem, 4.4.5.1 a range. Built: the range. With one threshold, t_mem_low =
//     t_mem_high, the limit stays only after periods with exactly that C_mem.
//   - The source gives no period and no thresholds; they are inputs.
//   - The source counts cycles of a core. Here the cycles of its warp schedulers are added.
//   - The source does not say where the walk ends at the bounds, and nothing of kernels that follow each other and of
//     paused SMs. CTAs above the limit run to their end.

`default_nettype none

module dyncta #(
    parameter integer CTA_W = 6,
    parameter integer COUNT_W = 32
) (
    input  wire               clk,
    input  wire               rst_i,
    input  wire               restart_i,
    input  wire [CTA_W-1:0]   n_max_i,
    input  wire [2:0]         idle_i,
    input  wire [2:0]         memory_i,
    input  wire               paused_i,
    input  wire [COUNT_W-1:0] period_i,
    input  wire [COUNT_W-1:0] t_idle_i,
    input  wire [COUNT_W-1:0] t_mem_low_i,
    input  wire [COUNT_W-1:0] t_mem_high_i,
    output wire [CTA_W-1:0]   limit_o,
    output wire               judged_o
);

    // A bad value instantiates a module that does not exist; its name is the message.
    generate
        if (CTA_W < 1 || CTA_W > 6 || COUNT_W < 1 || COUNT_W > 32) begin : g_check
            dyncta_needs_CTA_W_1_to_6_COUNT_W_1_to_32 u_stop ();
        end
    endgenerate

    localparam [CTA_W-1:0] CTA_1 = {{(CTA_W-1){1'b0}}, 1'b1};

    // ---- State -------------------------------------------------------------

    reg [CTA_W-1:0]   limit_q;
    reg [CTA_W-1:0]   n_max_q;
    reg [COUNT_W-1:0] elapsed_q;
    reg [COUNT_W-1:0] idle_q;
    reg [COUNT_W-1:0] memory_q;
    reg               judged_q;

    wire judges = !restart_i && !paused_i && elapsed_q >= period_i;

    // ---- Counts ------------------------------------------------------------

    // The cycle that judges is the first of the next period. `elapsed` cannot overflow: when it
    // is full, the period is over. The other two stop at all ones.
    wire [COUNT_W-1:0] kept = {COUNT_W{!judges}};

    wire [COUNT_W-1:0] elapsed_d = (elapsed_q & kept) + {{(COUNT_W-1){1'b0}}, 1'b1};

    wire [COUNT_W+2:0] idle_sum   = {3'd0, idle_q & kept} + {{COUNT_W{1'b0}}, idle_i};
    wire [COUNT_W+2:0] memory_sum = {3'd0, memory_q & kept} + {{COUNT_W{1'b0}}, memory_i};

    wire [COUNT_W-1:0] idle_d = idle_sum[COUNT_W-1:0]
        | {COUNT_W{idle_sum[COUNT_W+2:COUNT_W] != 3'd0}};
    wire [COUNT_W-1:0] memory_d = memory_sum[COUNT_W-1:0]
        | {COUNT_W{memory_sum[COUNT_W+2:COUNT_W] != 3'd0}};

    // ---- The limit ---------------------------------------------------------

    wire rises = idle_q > t_idle_i || memory_q < t_mem_low_i;
    wire falls = !rises && memory_q > t_mem_high_i;
    wire most  = limit_q == n_max_q;
    wire least = limit_q == CTA_1 || limit_q == {CTA_W{1'b0}};
    wire moves = judges && ((rises && !most) || (falls && !least));

    wire [CTA_W-1:0] moved = limit_q + (rises ? CTA_1 : {CTA_W{1'b1}});

    wire [CTA_W-1:0] half;
    generate
        if (CTA_W > 1) begin : g_half
            assign half = {1'b0, n_max_i[CTA_W-1:1]} + {{(CTA_W-1){1'b0}}, n_max_i[0]};
        end else begin : g_one
            assign half = n_max_i;
        end
    endgenerate

    // ---- Edge --------------------------------------------------------------

    always @(posedge clk) begin
        if (rst_i) begin
            limit_q   <= {CTA_W{1'b0}};
            n_max_q   <= {CTA_W{1'b0}};
            elapsed_q <= {COUNT_W{1'b0}};
            idle_q    <= {COUNT_W{1'b0}};
            memory_q  <= {COUNT_W{1'b0}};
            judged_q  <= 1'b0;
        end else begin
            judged_q <= judges;
            if (restart_i) begin
                limit_q   <= half;
                n_max_q   <= n_max_i;
                elapsed_q <= {COUNT_W{1'b0}};
                idle_q    <= {COUNT_W{1'b0}};
                memory_q  <= {COUNT_W{1'b0}};
            end else if (!paused_i) begin
                elapsed_q <= elapsed_d;
                idle_q    <= idle_d;
                memory_q  <= memory_d;
                if (moves) limit_q <= moved;
            end
        end
    end

    // ---- Outputs -----------------------------------------------------------

    assign limit_o  = limit_q;
    assign judged_o = judged_q;

    // ---- Properties, proved by induction -----------------------------------

`ifdef FORMAL
    reg f_started = 1'b0; // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    // Since the running period began: cycles and the two sums, without a bound of their own; and
    // whether n_max has been told.
    reg [COUNT_W:0]   f_cycles;
    reg [COUNT_W+3:0] f_idle;
    reg [COUNT_W+3:0] f_memory;
    reg               f_kernel;
    localparam [COUNT_W+3:0] F_FULL = {4'd0, {COUNT_W{1'b1}}};
    wire f_over = f_cycles >= period_i; // the period of this cycle

    always @(posedge clk) begin
        if (rst_i || restart_i) begin
            f_cycles <= 0;
            f_idle   <= 0;
            f_memory <= 0;
            f_kernel <= !rst_i && n_max_i != 0;
        end else if (!paused_i) begin
            f_cycles <= (f_over ? 0 : f_cycles) + 1;
            f_idle   <= (f_over ? 0 : f_idle > F_FULL ? F_FULL : f_idle) + idle_i;
            f_memory <= (f_over ? 0 : f_memory > F_FULL ? F_FULL : f_memory) + memory_i;
        end
    end

    wire [COUNT_W+3:0] f_idle_sum   = f_idle > F_FULL ? F_FULL : f_idle;
    wire [COUNT_W+3:0] f_memory_sum = f_memory > F_FULL ? F_FULL : f_memory;

    always @(posedge clk) begin
        if (f_started) begin
            // The limit.
            a_most   : assert (limit_o <= n_max_q);
            a_least  : assert (f_kernel ? limit_o >= 1 : limit_o == 0);
            a_kernel : assert (f_kernel == (n_max_q != 0));

            // The counts are those of the running period.
            a_cycles : assert (elapsed_q == f_cycles);
            a_idle   : assert (idle_q == f_idle_sum);
            a_memory : assert (memory_q == f_memory_sum);

            // From one cycle to the next.
            if ($past(rst_i))
                a_reset   : assert (limit_o == 0 && !judged_o);
            if ($past(!rst_i && restart_i))
                a_restart : assert (2 * limit_o == n_max_q + n_max_q[0] && n_max_q == $past(n_max_i)
                                    && !judged_o && elapsed_q == 0);
            if ($past(!rst_i && !restart_i && paused_i))
                a_paused  : assert ($stable({limit_q, n_max_q, elapsed_q, idle_q, memory_q}) && !judged_o);
            if ($past(!rst_i && !restart_i))
                a_step    : assert (limit_o == $past(limit_o)
                                    || (judged_o && (limit_o == $past(limit_o) + 1'b1
                                                     || limit_o == $past(limit_o) - 1'b1)));
            if ($past(!rst_i && !restart_i && !paused_i))
                a_judged  : assert (judged_o == $past(f_over));
            if (judged_o) begin
                if ($past(f_idle_sum > t_idle_i) || $past(f_memory_sum < t_mem_low_i))
                    a_rises : assert (limit_o == n_max_q || limit_o > $past(limit_o));
                else if ($past(f_memory_sum > t_mem_high_i))
                    a_falls : assert (limit_o <= 1 || limit_o < $past(limit_o));
                else
                    a_stays : assert (limit_o == $past(limit_o));
            end
            if (!rst_i) begin
                c_top    : cover (judged_o && limit_o == n_max_q && n_max_q == {CTA_W{1'b1}});
                c_bottom : cover (judged_o && limit_o == 1 && $past(f_memory_sum > t_mem_high_i)
                                  && $past(f_memory_sum >= t_mem_low_i) && $past(f_idle_sum <= t_idle_i));
                c_full   : cover (f_idle > F_FULL);
            end
        end
    end
`endif

endmodule

`default_nettype wire
