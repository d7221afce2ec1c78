// perf_sat - how many CTAs an SM should have, found while a kernel runs: as many as make its
// warp schedulers stall least.
//
// Purpose
//   A limiter of CTAs. Periods of equal length are sampled: in how many cycles schedulers stall.
//   At the end of a period the sample is compared with the stored one, and a state machine of a
//   few bits moves the limit by one. The length is One_TB * Nmax, by adding Nmax in each cycle of
//   One_TB; so there is no multiplier.
//
//       n_max_q -->(+)--> period_q --.                 elapsed_q: counts to period_q
//                                    (=)--> judges
//       stalled_i ->(+)-> stalled_q -(<)--> better --> down_q, dir_q, hist_q, toggles_q
//                           |                            |
//                           '--> prev_q                  '--> limit_q +/- 1 --> limit_o
//
// Parameters, outside of whose ranges it does not elaborate
//   CTA_W         bits of a number of CTAs, 1..6
//   COUNT_W       bits of a count of cycles, 1..32
//
// Ports           width        meaning
//   clk           1            clock, rising edge
//   rst_i         1            reset, synchronous, active high
//   restart_i     1            another kernel issues its CTAs: detection begins again
//   n_max_i       CTA_W        CTAs of it that fit an empty SM, read with restart
//   n_more_i      CTA_W        CTAs beyond n_max that fit, read with restart: 0 but where one that is counted stands
//                              for several
//   cooperative_i 1            all its CTAs must be resident, read with restart: the limit is n_max
//   stalled_i     3            warp schedulers in a pipeline or scoreboard stall in this cycle
//   started_i     1            CTAs of the kernel start on the SM in this cycle
//   ended_i       3            CTAs of the kernel that end on it
//   hold_i        1            the cycle does not count: the SM is paused, or the grid has no CTA left to issue
//   votes_two_i   1            two samples after a toggle decide the direction, and not one
//   settle_i      5            CTAs that end after a decrease before the next period begins
//   limit_o       CTA_W        CTAs that the SM may have: N
//   state_o       2            weak-increase, strong-increase, weak-decrease, strong-decrease
//   done_o        1            the limit stays until a restart
//   judged_o      1            a sample was judged in the last cycle
//
// Paths
//   none: every output depends on state alone
//
// Timing
//   A sample is judged in the first cycle after its period, which is the first of the next one;
//   so the comparison does not wait for the last sum. The outputs show the decision in the cycle
//   after that. A restart shows its limit in the next cycle. Every cycle is taken.
//
// Contract
//   Restart    n_max is the new Nmax, and limit is N0 = ceil(Nmax/2) from the next cycle on. If n_max is 0 or 1, or
//              the kernel is cooperative, limit is n_max, and done is high. All else in the cycle of a restart is
//              ignored.
//   Period     One_TB is the number of cycles in which the first CTA is on the SM: from the first `started` to the
//              first `ended` after it, both included. A period has One_TB * (n_max + n_more) cycles. The first begins
//              in the cycle after that `ended`. A cycle with `hold` is in neither number; only the first of One_TB is
//              in any case.
//   Sample     the sum of `stalled` over a period. It is judged in the first cycle after the period that is not on
//              hold, which is the first cycle of the next period. limit, state and done show the decision, and judged
//              is high, in the cycle after that.
//   Judgement  A sample is better if it is less than the stored one. First period: store it; N = N0 + 1,
//              weak-increase, hist = 0. Weak, while the direction is open. Better with hist = 0: hist = 1. Better with
//              hist = 1: the direction is decided; store it, strong, advance. Not better: a toggle; store it, the
//              other of N0 and N0 + 1, the other weak state, hist = 1, or 0 with votes_two. Strong. Better: store it,
//              advance. Not better: a toggle; weak. Weak after strong. Better: a toggle; strong. Not better: done with
//              N of the stored sample. Advance: N + 1 when increasing, N - 1 when decreasing; at Nmax and at 1 it is
//              done instead. Toggles are counted from 0 again. The fourth toggle is the end: with N0 + 1 while the
//              direction is open, else with N of the stored sample.
//   Settle     after a decrease of N the next period begins in the cycle after the one in which the last of `settle`
//              CTAs has ended, on hold or not. With 0 periods are back to back.
//   Hold       while hold is high before detection is done, no CTA starts or ends and restart is low, nothing changes
//              but judged, which falls.
//   Promises   limit is from 1 to n_max after a restart with n_max > 0. Once done is high, limit and done stay until a
//              restart. Without a change of votes_two at most 3 * N0 + 4 samples are judged, with votes_two 3 * N0 +
//              7.
//   Full       period and the sum of stalled cycles stop at their highest number.
//   Illegal    a CTA that ends before one has started is ignored.
//
// Reset
//   All registers are 0: done is high, and limit 0. Outputs do not depend on rst_i.
//
// Twin     perf_sat.c: equal outputs and registers in every cycle after the first reset edge.
//
// Source
//   Awatramani, "Workload-aware scheduling techniques for general purpose applications on graphics processing units",
//   dissertation, section 4.3.2.
//
// Deviations
//   - The figure of the state machine is lost. The table above follows the text and its example. "The history bit is
//     reset again", on a sample that contradicts, is built as a toggle, since the letter never ends for samples that
//     alternate.
//   - Equal samples: the source has less and more only. Built: equal is not better.
//   - The limit of toggles is tied to one N: an advance clears it.
//   - A strong state that has become weak and strong again stays at its N for that sample.
//   - The source does not say what happens at the bounds, with Nmax = 1, with equal samples, while an SM is paused,
//     when the grid is exhausted, and to cooperative kernels.
//   - n_more is ours, for blocks of CTAs that count as one: a period is One_TB times all CTAs that fit, as in the
//     source.
//   - settle is ours. The periods of the source are back to back.
//   - The count of the stored sample is no register: once the direction is decided it is N - 1 when increasing and N +
//     1 when decreasing.

`default_nettype none

module perf_sat #(
    parameter integer CTA_W = 6,
    parameter integer COUNT_W = 32
) (
    input  wire             clk,
    input  wire             rst_i,
    input  wire             restart_i,
    input  wire [CTA_W-1:0] n_max_i,
    input  wire [CTA_W-1:0] n_more_i,
    input  wire             cooperative_i,
    input  wire [2:0]       stalled_i,
    input  wire             started_i,
    input  wire [2:0]       ended_i,
    input  wire             hold_i,
    input  wire             votes_two_i,
    input  wire [4:0]       settle_i,
    output wire [CTA_W-1:0] limit_o,
    output wire [1:0]       state_o,
    output wire             done_o,
    output wire             judged_o
);

    // A bad value instantiates a module that does not exist; its name is the message.
    generate
        if (CTA_W < 1 || CTA_W > 6 || COUNT_W < 1 || COUNT_W > 32) begin : g_check
            perf_sat_needs_CTA_W_1_to_6_COUNT_W_1_to_32 u_stop ();
        end
    endgenerate

    localparam [2:0] DONE = 3'd0, WAITING = 3'd1, MEASURING = 3'd2, FIRST = 3'd3, FURTHER = 3'd4;
    localparam [CTA_W-1:0] CTA_1 = 1;

    // ---- State -------------------------------------------------------------

    reg [2:0]         phase_q;
    reg               down_q;
    reg               dir_q;
    reg               hist_q;
    reg [1:0]         toggles_q;
    reg [CTA_W-1:0]   limit_q;
    reg [CTA_W-1:0]   n_max_q;
    reg [CTA_W:0]     n_ctas_q;
    reg [COUNT_W-1:0] prev_q;
    reg [COUNT_W-1:0] stalled_q;
    reg [COUNT_W-1:0] elapsed_q;
    reg [COUNT_W-1:0] period_q;
    reg [4:0]         settle_q;
    reg               judged_q;

    // ---- What kind of cycle it is ------------------------------------------

    wire waiting   = phase_q == WAITING;
    wire measuring = phase_q == MEASURING;
    wire sampling  = phase_q == FIRST || phase_q == FURTHER;
    wire settling  = settle_q != 5'd0;
    wire ends      = ended_i != 3'd0;

    wire counts  = sampling && !settling && !hold_i && !restart_i;
    wire judges  = counts && elapsed_q == period_q;
    wire clears  = restart_i || !sampling || settling || judges;

    // ---- Counts ------------------------------------------------------------

    // One adder each. The sum of stalled cycles and the period stop at all ones; the cycles of a
    // period come no further than the period.
    wire [COUNT_W-1:0] elapsed = (clears ? {COUNT_W{1'b0}} : elapsed_q)
        + {{(COUNT_W-1){1'b0}}, counts};

    wire [COUNT_W+2:0] stalled_sum = {3'd0, clears ? {COUNT_W{1'b0}} : stalled_q}
        + {{COUNT_W{1'b0}}, counts ? stalled_i : 3'd0};
    wire [COUNT_W-1:0] stalled = stalled_sum[COUNT_W-1:0]
        | {COUNT_W{stalled_sum[COUNT_W+2:COUNT_W] != 3'd0}};

    wire [COUNT_W+CTA_W:0] period_sum =
        {{(CTA_W+1){1'b0}}, waiting ? {COUNT_W{1'b0}} : period_q} + {{COUNT_W{1'b0}}, n_ctas_q};
    wire [COUNT_W-1:0] period = period_sum[COUNT_W-1:0]
        | {COUNT_W{period_sum[COUNT_W+CTA_W:COUNT_W] != {(CTA_W+1){1'b0}}}};
    wire period_grows = !restart_i && ((waiting && started_i) || (measuring && !hold_i));

    wire [5:0] settle_left = {1'b0, settle_q} - {3'd0, ended_i};

    // ---- What a sample comes to --------------------------------------------

    wire first     = phase_q == FIRST;
    wire better    = stalled_q < prev_q;
    wire fourth    = toggles_q == 2'd3;
    wire undecided = !first && !dir_q;
    wire sure      = dir_q && hist_q;
    wire unsure    = dir_q && !hist_q;

    wire advances = better && (sure || (undecided && hist_q));
    wire reverses = undecided && !better;
    wire misses   = unsure && (!better || fourth);
    wire toggles  = reverses || (dir_q && (hist_q ^ better));

    wire at_bound = down_q ? limit_q == CTA_1 : limit_q == n_max_q;
    wire moves    = first || reverses || misses || (advances && !at_bound);
    wire lowers   = down_q ^ (reverses || misses); // if it moves
    wire ending   = (reverses && fourth) || misses || (advances && at_bound);

    wire [CTA_W-1:0] moved = limit_q + (lowers ? {CTA_W{1'b1}} : CTA_1);

    // ---- Restart -----------------------------------------------------------

    wire             few;  // CTAs that fit: none or one
    wire             fixed = cooperative_i || few;
    wire [CTA_W-1:0] half;
    generate
        if (CTA_W > 1) begin : g_half
            assign few  = n_max_i[CTA_W-1:1] == {(CTA_W-1){1'b0}};
            assign half = {1'b0, n_max_i[CTA_W-1:1]} + {{(CTA_W-1){1'b0}}, n_max_i[0]};
        end else begin : g_one
            assign few  = 1'b1;
            assign half = n_max_i;
        end
    endgenerate

    // ---- Edge --------------------------------------------------------------

    always @(posedge clk) begin
        if (rst_i) begin
            phase_q   <= DONE;
            down_q    <= 1'b0;
            dir_q     <= 1'b0;
            hist_q    <= 1'b0;
            toggles_q <= 2'd0;
            limit_q   <= {CTA_W{1'b0}};
            n_max_q   <= {CTA_W{1'b0}};
            n_ctas_q  <= {(CTA_W+1){1'b0}};
            prev_q    <= {COUNT_W{1'b0}};
            stalled_q <= {COUNT_W{1'b0}};
            elapsed_q <= {COUNT_W{1'b0}};
            period_q  <= {COUNT_W{1'b0}};
            settle_q  <= 5'd0;
            judged_q  <= 1'b0;
        end else begin
            judged_q <= judges;
            if (!hold_i || clears) begin
                elapsed_q <= elapsed;
                stalled_q <= stalled;
            end
            if (period_grows) period_q <= period;
            if (judges && (first || reverses || advances)) prev_q <= stalled_q;

            if (restart_i) begin
                n_max_q   <= n_max_i;
                n_ctas_q  <= {1'b0, n_max_i} + {1'b0, n_more_i};
                limit_q   <= fixed ? n_max_i : half;
                phase_q   <= fixed ? DONE : WAITING;
                down_q    <= 1'b0;
                dir_q     <= 1'b0;
                hist_q    <= 1'b0;
                toggles_q <= 2'd0;
                settle_q  <= 5'd0;
            end else begin
                if (waiting && started_i) phase_q <= MEASURING;
                if (measuring && ends) phase_q <= FIRST;
                if (settling) settle_q <= settle_left[5] ? 5'd0 : settle_left[4:0];
                if (judges) begin
                    phase_q <= ending && !first ? DONE : FURTHER;
                    if (moves) limit_q <= moved;
                    if (moves && lowers && !ending) settle_q <= settle_i;
                    if (!first) begin
                        hist_q <= better || (undecided && !votes_two_i);
                        down_q <= down_q ^ reverses;
                        dir_q  <= dir_q || advances;
                        if (advances)     toggles_q <= 2'd0;
                        else if (toggles) toggles_q <= toggles_q + 2'd1;
                    end
                end
            end
        end
    end

    // ---- Outputs -----------------------------------------------------------

    assign limit_o  = limit_q;
    assign state_o  = {down_q, dir_q && hist_q};
    assign done_o   = phase_q == DONE;
    assign judged_o = judged_q;

    // ---- Properties, proved by induction -----------------------------------

`ifdef FORMAL
    perf_sat_properties #(.CTA_W(CTA_W), .COUNT_W(COUNT_W)) f_properties (.*);
`endif

endmodule

`default_nettype wire
