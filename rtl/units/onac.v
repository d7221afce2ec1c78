// onac - finds at run time how many cores a kernel needs: ONAC, which estimates the number, and
// Seq-Det, which takes cores away one by one.
//
// Purpose
//   A kernel that waits for memory is as fast on some of the cores as on all. The unit samples
//   the IPC of all cores and of fewer, until it knows how many come within 2 % of all. The rest
//   may be gated. It stands beside the core status table, which it writes and whose samples it
//   reads.
//
//            target    acks     answers   quota       a core a cycle   bit by bit
//   restart -> TARGET -> PAUSE -> REQUEST -> WINDOW -> SUM -> DIVIDE -> TEST -> ESTIMATE
//                ^                                              |        |        |
//                '---- number, previous_number <----------------'--------'--------'-> result
//
//   One divider, a bit per cycle, makes the IPC of a sample and the estimate. Products are made
//   in the same way, or of two or three shifted sums: 49 is 7 * 7, and 50 is 5 * 5 * 2.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_CORE      cores, 1..192
//   COUNT_W     bits of a sample, of a window's cycles, and of an IPC, 2..32
//   CORE_W      bits of a core's number; derived, never overridden
//   NUMBER_W    bits of a number of cores; derived, never overridden
//   HALF_W      bits of an IPC behind the point, and of a quota; derived, never overridden
//   COMPLETED_W bits of the CTAs that complete in a cycle; derived, never overridden
//
// Ports         width        meaning
//   clk         1            clock, rising edge
//   rst_i       1            reset, synchronous, active high
//   restart_i   1            a kernel begins
//   mode_i      2            what it gets: 1 ONAC, 2 Seq-Det, otherwise all cores
//   quota_i     HALF_W       CTAs of a window for each core sampled: waves of as many as a core holds
//   limit_i     8            no window is longer than so many of that of all cores
//   creep_i     1            an estimate that does not grow is one core more, and not all
//   started_i   1            a CTA of the kernel has gone out
//   exhausted_i 1            the kernel has no CTA left to issue, or is not alone
//   completed_i COMPLETED_W  CTAs that complete in this cycle
//   acks_i      N_CORE       paused cores in which nothing is in flight
//   answers_i   N_CORE       cores that hold for a sample and in which nothing is in flight
//   sample_i    COUNT_W      sample of the core read in the last cycle
//   write_o     1            active and paused change
//   active_o    N_CORE       cores that take CTAs; those not among them may be gated once they are empty
//   paused_o    N_CORE       cores that do not issue
//   request_o   N_CORE       cores that are to hold, since a sample begins
//   clear_o     1            samples become 0
//   window_o    1            the window of a sample is open
//   read_o      CORE_W       core whose sample is read
//   detecting_o 1            the detection goes on
//   done_o      1            it has ended
//   aborted_o   1            without a result
//   number_o    NUMBER_W     cores that run: the estimate, and in the end N_opt
//
// Paths
//   none: every output depends on state alone
//
// Timing
//   From the close of a window: number + 1 cycles to sum the samples, DIGIT_W + 2 to divide. The
//   first sample of a kernel is then done; any other takes 5 more to test it, and one that
//   misses the 2 % takes NUMBER_W + DIGIT_W + 1 to estimate, if its IPC has grown. Then write is
//   high. Acks count NUMBER_W + 1 cycles later.
//   With 32 cores and 32 bits: 152 cycles at most, of which the estimate is 60.
//
// Contract
//   Sample     the chip's IPC with the first `number` cores running: the sum of their samples times 2^half_w, by the
//              cycles of the window, rounded down. It stops at the highest number of count_w bits.
//   Near       a number of cores will do if 50 times its IPC is at least 49 times that of all.
//   ONAC       samples all cores; then core 0 alone. Where the line through the origin and this sample reaches 98 % of
//              the IPC of all, rounded up, is the first estimate. Each estimate is sampled. If it will do, it is the
//              result. If not, the next one is where the line through the last two samples reaches 98 %, rounded up:
//              it is at least one core more. One that is all cores or more is the result without a sample. An IPC that
//              has not grown gives all cores; with creep, one core more, unless core 0 alone has an IPC of 0.
//   Seq-Det    samples all cores, then one core less each time, as long as they will do. The result is the last number
//              that does.
//   One core   where there is only one, is the result of its own sample.
//   Result     done, and number. Until a kernel has one, active is all cores, and paused those from `number` on. Then
//              active is the first `number` cores, and none is paused.
//   Order      of a sample: write, with the sets that it needs; the acks of all paused cores; request, until all that
//              run have answered; the window. The first sample of a kernel needs neither acks nor answers: its window
//              opens when the kernel has started.
//   Samples    are cleared in every cycle in which acks, or the start, are waited for. That of core c is read in cycle
//              c of the sum. In every state whose length is known, read counts its cycles, as far as it has bits for
//              them; in all others it is 0.
//   Window     opens in the cycle after the last answer. It closes with the cycle after that in which the CTAs
//              completed in it come to quota times number.
//   Abort      the detection ends with all cores, active and not paused, and aborted, if the kernel is exhausted; or
//              if a window is longer than limit times that of all cores or than 2^count_w - 1 cycles, whether or not
//              its CTAs have completed by then.
//   Restart    a kernel begins, whatever goes on: all cores are active, and none is paused. Mode, quota, limit and
//              creep are those of this cycle. It comes before all else.
//   Illegal    there is no illegal stimulus. Mode 3 is as 0: no detection. A quota of 0 gives windows of one cycle.
//
// Reset
//   No detection goes on, and all cores run: number is n_core, and all other registers are 0. Outputs do not depend on
//   rst_i, and nothing is taken while it is high.
//
// Twin     onac.c: equal outputs, registers and memories in every cycle after the first
//          reset edge.
//
// Source
//   Awatramani, "Workload-aware scheduling techniques for general purpose applications on graphics processing units",
//   dissertation, section 4.4.
//
// Deviations
//   - The source does not say how an estimate is rounded. Rounded down it may stay where it is. Built: up.
//   - The source compares every estimate. Built: one that is all cores is the result at once. Its sample could miss
//     the 2 % by noise for ever.
//   - The source un-pauses the estimate less 1. That is right for the first one. Built: the cores that run are always
//     the first.
//   - The source does not say what happens if the IPC does not grow, if the kernel ends before the detection, or if a
//     window never closes since its CTAs wait for those of paused cores.
//   - Its samples are a core's IPC, and their window is four waves of CTAs. Built: one window for all cores, which
//     counts their CTAs, and one division.
//   - Seq-Det compares with 98 % of the IPC of all cores, as ONAC. With samples of two numbers of cores alone it would
//     stop at the first.

`default_nettype none

module onac #(
    parameter integer N_CORE      = 32,
    parameter integer COUNT_W     = 32,
    // Derived, never overridden:
    parameter integer CORE_W      = (N_CORE > 1) ? $clog2(N_CORE) : 1,
    parameter integer NUMBER_W    = $clog2(N_CORE + 1),
    parameter integer HALF_W      = (COUNT_W + 1) / 2,
    parameter integer COMPLETED_W = $clog2(8 * N_CORE),
    parameter integer TOTAL_W     = 1 + ((HALF_W + NUMBER_W > COMPLETED_W) ? HALF_W + NUMBER_W : COMPLETED_W),
    parameter integer SUM_W       = COUNT_W + CORE_W,
    parameter integer DIGIT_W     = (SUM_W + HALF_W > COUNT_W + NUMBER_W + 6) ? SUM_W + HALF_W : COUNT_W + NUMBER_W + 6
) (
    input  wire                   clk,
    input  wire                   rst_i,

    input  wire                   restart_i,
    input  wire [1:0]             mode_i,
    input  wire [HALF_W-1:0]      quota_i,
    input  wire [7:0]             limit_i,
    input  wire                   creep_i,
    input  wire                   started_i,
    input  wire                   exhausted_i,
    input  wire [COMPLETED_W-1:0] completed_i,
    input  wire [N_CORE-1:0]      acks_i,
    input  wire [N_CORE-1:0]      answers_i,
    input  wire [COUNT_W-1:0]     sample_i,

    output wire                   write_o,
    output wire [N_CORE-1:0]      active_o,
    output wire [N_CORE-1:0]      paused_o,
    output wire [N_CORE-1:0]      request_o,
    output wire                   clear_o,
    output wire                   window_o,
    output wire [CORE_W-1:0]      read_o,
    output wire                   detecting_o,
    output wire                   done_o,
    output wire                   aborted_o,
    output wire [NUMBER_W-1:0]    number_o
);

    // A bad value instantiates a module that does not exist; its name is the message.
    generate
        if (N_CORE < 1 || N_CORE > 192 || COUNT_W < 2 || COUNT_W > 32
            || CORE_W != ((N_CORE > 1) ? $clog2(N_CORE) : 1) || NUMBER_W != $clog2(N_CORE + 1)
            || HALF_W != (COUNT_W + 1) / 2 || COMPLETED_W != $clog2(8 * N_CORE)) begin : g_check
            onac_needs_N_CORE_1_to_192_COUNT_W_2_to_32 u_stop ();
        end
    endgenerate

    localparam [3:0] IDLE = 0, TARGET = 1, PAUSE = 2, REQUEST = 3, WINDOW = 4, SUM = 5, DIVIDE = 6, TEST = 7,
                     ESTIMATE = 8;

    localparam integer        WIDE_W    = COUNT_W + 7;            // 50 times an IPC, with a sign
    localparam integer        PRODUCT_W = COUNT_W + NUMBER_W + 6; // that, times a number of cores
    localparam [31:0]         ALL_CORES = N_CORE;
    localparam [NUMBER_W-1:0] ALL       = ALL_CORES[NUMBER_W-1:0];
    localparam [NUMBER_W-1:0] ONE       = 1;
    localparam [COUNT_W-1:0]  COUNT_1   = 1;

    // ---- State -------------------------------------------------------------

    reg [3:0]          state_q;
    reg [8:0]          at_q;              // the same, a bit for each state: a derived register
    reg [7:0]          step_q;            // cycles that the state has taken, of states whose length is known
    reg                seq_det_q;         // of the kernel: the mode is Seq-Det
    reg [HALF_W-1:0]   quota_q;           // CTAs of a window for each core
    reg [7:0]          limit_q;           // windows of all cores that one may be long
    reg                creep_q;           // one core more if the IPC does not grow
    reg                write_q;           // active and paused change
    reg                done_q;
    reg                aborted_q;
    reg                all_known_q;       // estimation records: the row of all cores holds a sample
    reg [COUNT_W-1:0]  all_cycles_q;      // and the length of its window
    reg [COUNT_W-1:0]  all_ipc_q;
    reg [NUMBER_W-1:0] number_q;          // the row of the current estimate
    reg [COUNT_W-1:0]  ipc_q;
    reg [NUMBER_W-1:0] previous_number_q; // the row of the previous one
    reg [COUNT_W-1:0]  previous_ipc_q;
    reg [COUNT_W-1:0]  cycles_q;          // of the window
    reg [TOTAL_W-1:0]  completions_q;     // CTAs that have completed in it
    reg [SUM_W-1:0]    sum_q;             // of the samples

    // Partial results, which follow from those.
    reg [TOTAL_W-1:0]  target_q;          // to number * quota
    reg [7:0]          lap_q;             // cycles of the window, in windows of all cores
    reg [COUNT_W-1:0]  phase_q;           // and the rest, and 1 more
    reg [DIGIT_W-1:0]  dividend_q;        // highest bits first; behind them the quotient
    reg [COUNT_W+5:0]  remainder_q;
    reg [WIDE_W-1:0]   divisor_q;         // the window's cycles, or 50 times what the IPC has grown
    reg [WIDE_W-1:0]   gap_q;             // to 49 times the IPC of all less 50 times that of these
    reg [NUMBER_W-1:0] factor_q;          // cores, or those from the previous estimate on, highest bits first

    // ---- Cores that run: the first of them ---------------------------------

    wire [N_CORE-1:0] running;
    genvar            c;
    generate
        for (c = 0; c < N_CORE; c = c + 1) begin : g_core
            localparam [31:0] CORE = c;
            assign running[c] = number_q > CORE[NUMBER_W-1:0];
        end
    endgenerate

    wire detects  = !at_q[IDLE];
    wire acked    = &(acks_i | running);
    wire answered = &(answers_i | ~running);

    assign write_o     = write_q;
    assign active_o    = running | {N_CORE{!done_q}};
    assign paused_o    = ~running & {N_CORE{detects}};
    assign request_o   = running & {N_CORE{at_q[REQUEST]}};
    assign clear_o     = at_q[PAUSE];
    assign window_o    = at_q[WINDOW];
    assign read_o      = step_q[CORE_W-1:0];
    assign detecting_o = detects;
    assign done_o      = done_q;
    assign aborted_o   = aborted_q;
    assign number_o    = number_q;

    // ---- Steps -------------------------------------------------------------

    localparam [31:0] LAST_TARGET = NUMBER_W, LAST_DIVIDE = DIGIT_W + 1, STEPS_PRODUCT = NUMBER_W,
                      LAST_ESTIMATE = NUMBER_W + DIGIT_W;

    // In states whose length is not known no step is counted.
    wire last     = (at_q[TARGET] && step_q == LAST_TARGET[7:0])
                    || (at_q[SUM] && step_q == {{(8-NUMBER_W){1'b0}}, number_q})
                    || (at_q[DIVIDE] && step_q == LAST_DIVIDE[7:0])
                    || (at_q[TEST] && step_q == 8'd4)
                    || (at_q[ESTIMATE] && step_q == LAST_ESTIMATE[7:0])
                    || at_q[IDLE] || at_q[PAUSE] || at_q[REQUEST] || at_q[WINDOW];
    wire first    = step_q == 8'd0;
    wire product  = at_q[ESTIMATE] && step_q < STEPS_PRODUCT[7:0];
    wire dividing = (at_q[DIVIDE] && !first) || (at_q[ESTIMATE] && !product);

    // ---- Window ------------------------------------------------------------

    wire opens  = (at_q[PAUSE] && acked && !all_known_q && started_i) || (at_q[REQUEST] && answered);
    wire full   = &cycles_q;
    wire closes = completions_q >= target_q;
    wire late   = all_known_q && lap_q == limit_q;
    wire lapped = phase_q == all_cycles_q;

    // One more: the bits up to the lowest 0 change.
    wire [COUNT_W-1:0] phase_0;  // bit k: of the lowest k + 1 bits one is 0
    prefix_or #(.N(COUNT_W)) u_phase (.set_i(~phase_q), .upto_o(phase_0));
    wire [COUNT_W-1:0] phase_more = phase_q ^ ~(phase_0 << 1);

    wire [TOTAL_W-1:0] quota_added = {{(TOTAL_W-HALF_W){1'b0}}, quota_q & {HALF_W{factor_q[NUMBER_W-1]}}};

    always @(posedge clk) begin : p_window
        if (rst_i) begin
            cycles_q      <= {COUNT_W{1'b0}};
            completions_q <= {TOTAL_W{1'b0}};
            target_q      <= {TOTAL_W{1'b0}};
            lap_q         <= 8'd0;
            phase_q       <= {COUNT_W{1'b0}};
        end else if (!restart_i) begin
            if (at_q[TARGET])
                target_q <= ({target_q[TOTAL_W-2:0], 1'b0} + quota_added) & {TOTAL_W{!first}};
            if (at_q[PAUSE]) begin
                cycles_q      <= {COUNT_W{1'b0}};
                completions_q <= {TOTAL_W{1'b0}};
                lap_q         <= 8'd0;
                phase_q       <= COUNT_1;
            end else if (at_q[WINDOW]) begin
                cycles_q      <= cycles_q + COUNT_1;
                completions_q <= completions_q + {{(TOTAL_W-COMPLETED_W){1'b0}}, completed_i};
                lap_q         <= lap_q + {7'd0, lapped};
                phase_q       <= lapped ? COUNT_1 : phase_more;
            end
        end
    end

    // ---- The divider, and what it is given ---------------------------------

    wire               digit;
    wire [COUNT_W+5:0] remainder_left;
    divide_step #(.W(COUNT_W + 6), .BITS(1)) u_divide (
        .remainder_i (remainder_q),
        .next_i      (dividend_q[DIGIT_W-1]),
        .divisor_i   (divisor_q[COUNT_W+5:0]),
        .quotient_o  (digit),
        .remainder_o (remainder_left)
    );

    wire [DIGIT_W-1:0] samples  = {{(DIGIT_W-SUM_W){1'b0}}, sum_q} << HALF_W;
    // Of a sum that waits for a bit both values are made, and the bit picks.
    wire [PRODUCT_W-1:0] doubled    = {dividend_q[PRODUCT_W-2:0], 1'b0};
    wire [PRODUCT_W-1:0] with_gap   = doubled + {{(PRODUCT_W-WIDE_W+1){1'b0}}, gap_q[WIDE_W-2:0]};
    wire [PRODUCT_W-1:0] multiplied = factor_q[NUMBER_W-1] ? with_gap : doubled;
    wire [WIDE_W-1:0]  ipc      = {7'd0, ipc_q};
    wire [WIDE_W-1:0]  rise_5, not_rise_5;  // a + b is ~(~a - b)
    subtract #(.W(WIDE_W)) u_rise (
        .from_i   (~{divisor_q[WIDE_W-3:0], 2'b00}),
        .less_i   (divisor_q),
        .left_o   (not_rise_5)
    );
    assign rise_5 = ~not_rise_5;
    wire               times_7  = step_q[1] != step_q[0];
    wire [WIDE_W-1:0]  gap_left;
    subtract #(.W(WIDE_W)) u_gap (
        .from_i   (times_7 ? {gap_q[WIDE_W-4:0], 3'b000} : gap_q),
        .less_i   (times_7 ? gap_q : ipc),
        .left_o   (gap_left)
    );

    always @(posedge clk) begin : p_divide
        if (rst_i) begin
            sum_q       <= {SUM_W{1'b0}};
            dividend_q  <= {DIGIT_W{1'b0}};
            remainder_q <= {(COUNT_W+6){1'b0}};
            divisor_q   <= {WIDE_W{1'b0}};
            gap_q       <= {WIDE_W{1'b0}};
            factor_q    <= {NUMBER_W{1'b0}};
        end else if (!restart_i) begin
            if (at_q[SUM]) begin
                sum_q     <= (sum_q + {{CORE_W{1'b0}}, sample_i}) & {SUM_W{!first}};
                divisor_q <= {7'd0, cycles_q};
            end
            if (at_q[DIVIDE]) gap_q <= {7'd0, all_ipc_q};
            if (at_q[TEST]) begin
                if (first)           divisor_q <= ipc - {7'd0, previous_ipc_q};
                if (step_q == 8'd1)  divisor_q <= rise_5;
                if (step_q == 8'd2)  divisor_q <= {rise_5[WIDE_W-2:0], 1'b0};
                if (!step_q[2])      gap_q     <= gap_left;
            end
            if (at_q[TARGET] && first)         factor_q <= number_q;
            else if (at_q[TEST])               factor_q <= number_q - previous_number_q;
            else if (at_q[TARGET] || product)  factor_q <= factor_q << 1;

            if (dividing)     dividend_q <= {dividend_q[DIGIT_W-2:0], digit};
            else if (product) dividend_q <= {{(DIGIT_W-PRODUCT_W){1'b0}}, multiplied};
            else              dividend_q <= samples & {DIGIT_W{at_q[DIVIDE]}};
            remainder_q <= remainder_left & {(COUNT_W+6){dividing}};
        end
    end

    // ---- What comes of it --------------------------------------------------

    wire               wide = dividend_q[DIGIT_W-1:COUNT_W] != {(DIGIT_W-COUNT_W){1'b0}};
    wire [COUNT_W-1:0] quotient = dividend_q[COUNT_W-1:0] | {COUNT_W{wide}};

    wire near = gap_q[WIDE_W-1] || gap_q == {WIDE_W{1'b0}};
    wire rose = !divisor_q[WIDE_W-1] && divisor_q != {WIDE_W{1'b0}};

    // The quotient rounded up, on top of what there is.
    wire                far      = dividend_q[DIGIT_W-1:NUMBER_W] != {(DIGIT_W-NUMBER_W){1'b0}};
    wire                rest     = remainder_q != {(COUNT_W+6){1'b0}};
    wire [NUMBER_W:0]   estimate = {1'b0, number_q} + {1'b0, dividend_q[NUMBER_W-1:0]} + {{NUMBER_W{1'b0}}, rest};
    wire [NUMBER_W-1:0] more     = number_q + ONE;
    wire                creeps   = creep_q && previous_number_q != {NUMBER_W{1'b0}} && more != ALL;

    reg [3:0]          state_d;
    reg [NUMBER_W-1:0] number_d;
    reg                ends;    // with a result
    reg                fails;   // without one
    reg                begins;  // a sample
    reg                moves;   // the current estimate becomes the previous one

    always @* begin : p_next
        state_d  = state_q;
        number_d = number_q;
        ends     = 1'b0;
        fails    = 1'b0;
        begins   = 1'b0;
        moves    = 1'b0;
        case (state_q)
            TARGET:  if (last) state_d = PAUSE;
            PAUSE:   if (opens) state_d = WINDOW;
                     else if (acked && all_known_q) state_d = REQUEST;
            REQUEST: if (opens) state_d = WINDOW;
            WINDOW:  if (closes && !full && !late) state_d = SUM;
                     else fails = late || full;
            SUM:     if (last) state_d = DIVIDE;
            DIVIDE:  if (last && all_known_q) state_d = TEST;
                     else if (last) begin
                         number_d = (N_CORE > 1 && seq_det_q) ? ALL - ONE : ONE;
                         ends     = N_CORE == 1;
                         begins   = N_CORE != 1;
                     end
            TEST:    if (last && seq_det_q) begin
                         number_d = !near ? more : (number_q == ONE) ? ONE : number_q - ONE;
                         ends     = !near || number_q == ONE;
                         begins   = near && number_q != ONE;
                     end else if (last && near) ends = 1'b1;
                     else if (last && rose) state_d = ESTIMATE;
                     else if (last) begin
                         number_d = creeps ? more : ALL;
                         ends     = !creeps;
                         begins   = creeps;
                         moves    = creeps;
                     end
            ESTIMATE: if (last) begin
                         ends     = far || estimate >= {1'b0, ALL};
                         begins   = !ends;
                         moves    = !ends;
                         number_d = ends ? ALL : estimate[NUMBER_W-1:0];
                     end
            default: ;
        endcase
        if (exhausted_i && detects) fails = 1'b1;
        if (begins) state_d = TARGET;
        if (ends || fails) state_d = IDLE;
        if (fails) number_d = ALL;
    end

    wire known = at_q[DIVIDE] && last;

    always @(posedge clk) begin : p_state
        if (rst_i) begin
            state_q           <= IDLE;
            at_q              <= 9'd1 << IDLE;
            step_q            <= 8'd0;
            seq_det_q         <= 1'b0;
            quota_q           <= {HALF_W{1'b0}};
            limit_q           <= 8'd0;
            creep_q           <= 1'b0;
            write_q           <= 1'b0;
            done_q            <= 1'b0;
            aborted_q         <= 1'b0;
            all_known_q       <= 1'b0;
            all_cycles_q      <= {COUNT_W{1'b0}};
            all_ipc_q         <= {COUNT_W{1'b0}};
            number_q          <= ALL;
            ipc_q             <= {COUNT_W{1'b0}};
            previous_number_q <= {NUMBER_W{1'b0}};
            previous_ipc_q    <= {COUNT_W{1'b0}};
        end else if (restart_i) begin
            state_q     <= (mode_i[1] != mode_i[0]) ? TARGET : IDLE;
            at_q        <= (mode_i[1] != mode_i[0]) ? 9'd1 << TARGET : 9'd1 << IDLE;
            step_q      <= 8'd0;
            seq_det_q   <= mode_i == 2'd2;
            quota_q     <= quota_i;
            limit_q     <= limit_i;
            creep_q     <= creep_i;
            write_q     <= 1'b1;
            done_q      <= 1'b0;
            aborted_q   <= 1'b0;
            all_known_q <= 1'b0;
            number_q    <= ALL;
        end else begin
            state_q  <= state_d;
            at_q     <= 9'd1 << state_d;
            step_q   <= (last || fails) ? 8'd0 : step_q + 8'd1;
            write_q  <= begins || ends || fails;
            number_q <= number_d;
            if (ends || fails) done_q <= 1'b1;
            if (fails) aborted_q <= 1'b1;
            if (known && all_known_q) ipc_q <= quotient;
            if (known && !all_known_q) begin
                all_known_q       <= 1'b1;
                all_cycles_q      <= cycles_q;
                all_ipc_q         <= quotient;
                previous_number_q <= {NUMBER_W{1'b0}};
                previous_ipc_q    <= {COUNT_W{1'b0}};
            end else if (moves) begin
                previous_number_q <= number_q;
                previous_ipc_q    <= ipc_q;
            end
        end
    end

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/onac_properties.v.

`ifdef FORMAL
    onac_properties #(.N_CORE(N_CORE), .COUNT_W(COUNT_W)) f_properties (.*);
`endif

endmodule

`default_nettype wire
