// lcs - lazy CTA scheduling: how many CTAs of a kernel an SM should hold.
//
// Purpose
//   Counts what each CTA slot issues until the first CTA of a kernel ends. Then the instructions of all,
//   divided by those of that CTA, are the CTAs that the SM holds from then on.
//
//   issued_i, issued_slot_i ---> sum ---> total_q <--- less, by steps ---.
//                      |                     |                           |
//                      '---> count_q, of each slot ---> that of first_q -'---> limit_q ---> limit_o
//   started_i ---> started_q                                ^
//                      '---> and ---> lowest ---> first_q --'
//   ended_i ---------------->  '---> hold_o
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SLOT        CTA slots of the SM, 1..32
//   N_SCHEDULER   warp schedulers of the SM, 1..4
//   COUNT_W       bits of a count of instructions, 6..32
//   LIMIT_W       bits of a number of CTAs; derived, never overridden
//
// Ports           width        meaning
//   clk           1            clock, rising edge
//   rst_i         1            reset, synchronous, active high
//   restart_i     1            from this cycle on the SM gets CTAs of another kernel
//   n_max_i       LIMIT_W      with restart: Tmax, CTAs of this kernel that the SM holds
//   rounding_i    2            of Tnew: 0 down, 1 up, 2 up and one more
//   started_i     N_SLOT       slots in which a CTA of the kernel starts
//   ended_i       N_SLOT       slots whose CTA ends
//   issued_i      2*N_SCHEDULER warp instructions that each scheduler issues in this cycle
//   issued_slot_i SLOT_W*N_SCHEDULER of the CTA in this slot
//   phase_o       2            0 Monitor, 1 Throttle, 2 Lazy
//   hold_o        1            the SM gets no CTA: Tnew is being found
//   limit_o       LIMIT_W      without hold: CTAs that the SM may hold, Tmax and later Tnew
//
// Paths from inputs to outputs in one cycle; every other output depends on state alone
//   hold_o        ended_i
//
// Timing
//   hold rises in the cycle of the first end. Tnew is at limit n + 2 cycles later, if the first CTA's
//   instructions go n times into those of all, or Tmax times at most.
//
// Contract
//   Restart    begins Monitor for a kernel, in any phase, with Tmax = n_max. In its cycle all other inputs but started
//              and, for hold, ended have no effect.
//   Monitor    limit is Tmax. A slot in which a CTA starts is the kernel's from then on, and its count begins at 0;
//              other slots' instructions are not counted. A cycle's instructions come after its starts of earlier
//              cycles, and before its ends.
//   First      the first end of a CTA in a slot of the kernel ends Monitor; of several in one cycle, that in the
//              lowest slot counts. The starts of its cycle change no output.
//   Throttle   the first CTA's count is taken from the total, once a cycle, until nothing of it is left, or it has
//              been taken Tmax times: Tnew rounded up. In one cycle more rounding 0 takes 1 off if the last was more
//              than was left, and rounding 2 adds 1, but to no more than Tmax.
//   Lazy       limit is Tnew until the next restart.
//   Hold       from the cycle of the first end to the end of Throttle: at most Tmax + 2 cycles.
//   Counting   stops for the kernel when the total has come to a quarter of what count_w bits hold, so no count ever
//              wraps. A first CTA of which nothing was counted makes Tnew Tmax; and if nothing was counted at all, 1.
//   Illegal    n_max of 0 is taken as 1, and of more than n_slot as n_slot; rounding 3 as 2. A start in a slot of the
//              kernel before its end begins its count again, and leaves the total. Instructions of a slot there is not
//              are not counted. Before the first restart Tmax is 0, and so is limit.
//
// Reset
//   All registers are 0: Monitor of no kernel, whose Tmax is 0.
//
// Twin     lcs.c: equal outputs, registers and memories in every cycle after the first
//          reset edge.
//
// Source
//   Lee et al., slides on lazy CTA scheduling: "Three phases of Lazy CTA Scheduling". Awatramani's dissertation,
//   sections 4.3.4.2 and 4.4.5.1, reads the same paper.
//
// Deviations
//   - Tnew is rounded up, as in the slides' example of 10 / 4 = 3. The dissertation has the brackets of rounding down,
//     and the slides a modification whose brackets are lost: the input rounding has all three.
//   - Tnew is not above Tmax, which a short first CTA would make it. It is never below 1, as the total has the first
//     CTA's instructions in it.
//   - The slot of the first CTA that ends is filled again when Tnew is known: no source says.
//   - How the division is done no source says: by subtraction, at most Tmax of them.

`default_nettype none

module lcs #(
    parameter integer N_SLOT      = 8,
    parameter integer N_SCHEDULER = 2,
    parameter integer COUNT_W     = 32,
    parameter integer SLOT_W      = (N_SLOT > 1) ? $clog2(N_SLOT) : 1, // derived, never overridden
    parameter integer LIMIT_W     = $clog2(N_SLOT + 1)                 // derived, never overridden
) (
    input  wire                          clk,
    input  wire                          rst_i,
    input  wire                          restart_i,
    input  wire [LIMIT_W-1:0]            n_max_i,
    input  wire [1:0]                    rounding_i,
    input  wire [N_SLOT-1:0]             started_i,
    input  wire [N_SLOT-1:0]             ended_i,
    input  wire [2*N_SCHEDULER-1:0]      issued_i,
    input  wire [SLOT_W*N_SCHEDULER-1:0] issued_slot_i,
    output wire [1:0]                    phase_o,
    output wire                          hold_o,
    output wire [LIMIT_W-1:0]            limit_o
);

    // A bad value instantiates a module that does not exist; its name is the message.
    generate
        if (N_SLOT < 1 || N_SLOT > 32 || N_SCHEDULER < 1 || N_SCHEDULER > 4 || COUNT_W < 6 || COUNT_W > 32
            || SLOT_W != ((N_SLOT > 1) ? $clog2(N_SLOT) : 1) || LIMIT_W != $clog2(N_SLOT + 1)) begin : g_check
            lcs_needs_N_SLOT_1_to_32_N_SCHEDULER_1_to_4_COUNT_W_6_to_32 u_stop ();
        end
    endgenerate

    localparam [1:0]         MONITOR  = 2'd0;
    localparam [1:0]         THROTTLE = 2'd1;
    localparam [1:0]         LAZY     = 2'd2;
    localparam [LIMIT_W-1:0] NONE     = {LIMIT_W{1'b0}};
    localparam [LIMIT_W-1:0] ONE      = 1;
    localparam [31:0]        SLOTS    = N_SLOT;
    localparam integer       HIGH_W   = COUNT_W - 4; // a cycle adds at most 12
    localparam integer       MID_W    = HIGH_W / 2;
    localparam integer       TOP_W    = HIGH_W - MID_W;
    localparam [HIGH_W-1:0]  ONE_HIGH = 1;
    localparam [MID_W-1:0]   ONE_MID  = 1;
    localparam [TOP_W-1:0]   ONE_TOP  = 1;

    reg [1:0]         phase_q;
    reg [LIMIT_W-1:0] n_max_q;
    reg [LIMIT_W-1:0] limit_q;
    reg [N_SLOT-1:0]  started_q;
    reg [SLOT_W-1:0]  first_q;       // as a number only for who looks at the registers
    reg [N_SLOT-1:0]  first_line_q;  // after Monitor: first_q's bit, alone
    reg [COUNT_W-1:0] total_q;
    (* mem2reg *)                  // registers, of which all are read
    reg [COUNT_W-1:0] count_q [0:N_SLOT-1];

    wire monitors  = phase_q == MONITOR;
    wire throttles = phase_q == THROTTLE;

    // ---- The first end -----------------------------------------------------

    wire [N_SLOT-1:0] ends = ended_i & started_q;
    wire [N_SLOT-1:0] first_line;
    wire [SLOT_W-1:0] first;
    wire              ends_any = |ends;
    // Of another set than ends_any, which would wait for the prefixes in here if both were made of the same gates.
    wire              unused_any;
    pick_first #(.N(N_SLOT)) u_first (
        .set_i  (ends & {N_SLOT{monitors}}),
        .line_o (first_line),
        .any_o  (unused_any)
    );
    line_number #(.N(N_SLOT)) u_number (.line_i(first_line), .number_o(first));
    wire unused_first = |first_q;
    wire ends_monitor = monitors && ends_any;

    // ---- What this cycle adds ----------------------------------------------

    // No count is above the total, so while this bit of it is 0 all have room.
    wire counts = monitors && !restart_i && !total_q[COUNT_W-2];

    wire [N_SLOT*N_SCHEDULER-1:0] of;     // scheduler k's instructions are of slot c
    wire [2*N_SCHEDULER-1:0]      amount; // of the kernel's
    genvar                        c;
    genvar                        k;
    generate
        for (k = 0; k < N_SCHEDULER; k = k + 1) begin : g_scheduler
            for (c = 0; c < N_SLOT; c = c + 1) begin : g_of
                localparam [31:0] SLOT = c;
                assign of[N_SLOT*k + c] = issued_slot_i[SLOT_W*k +: SLOT_W] == SLOT[SLOT_W-1:0];
            end
            assign amount[2*k +: 2] = issued_i[2*k +: 2] & {2{|(of[N_SLOT*k +: N_SLOT] & started_q)}};
        end
    endgenerate

    // ---- Counts: the low bits are added, and their carry picks the high ones plus 1 ----

    // In the cycle of the first end no start matters but in the slot of the first: so no count waits for what other
    // slots do.

    wire [N_SLOT*COUNT_W-1:0] count;
    generate
        for (c = 0; c < N_SLOT; c = c + 1) begin : g_slot
            reg [7:0] own; // of schedulers whose instructions are of this slot
            integer   n;
            always @* begin
                own = 8'd0;
                for (n = 0; n < N_SCHEDULER; n = n + 1)
                    own[2*n +: 2] = issued_i[2*n +: 2] & {2{of[N_SLOT*n + c]}};
            end
            wire [2:0]        pair_0 = {1'b0, own[1:0]} + {1'b0, own[3:2]};
            wire [2:0]        pair_1 = {1'b0, own[5:4]} + {1'b0, own[7:6]};
            wire [3:0]        add    = {1'b0, pair_0 & {3{started_q[c]}}} + {1'b0, pair_1 & {3{started_q[c]}}};
            wire [4:0]        low  = {1'b0, count_q[c][3:0]} + {1'b0, add};
            wire [HIGH_W-1:0] more = count_q[c][COUNT_W-1:4] + ONE_HIGH;
            assign count[COUNT_W*c +: COUNT_W] = count_q[c];
            always @(posedge clk) begin
                if (rst_i || (started_i[c] && (restart_i || (monitors && !ends[c]))))
                    count_q[c] <= {COUNT_W{1'b0}};
                else if (counts) begin
                    count_q[c][3:0] <= low[3:0];
                    if (low[4]) count_q[c][COUNT_W-1:4] <= more;
                end
            end
        end
    endgenerate

    // ---- Total, and in Throttle what is left of it --------------------------

    reg [7:0]          all; // and none of schedulers that there are not
    always @* begin
        all                    = 8'd0;
        all[2*N_SCHEDULER-1:0] = amount;
    end
    wire [2:0]         pair_0 = {1'b0, all[1:0]} + {1'b0, all[3:2]};
    wire [2:0]         pair_1 = {1'b0, all[5:4]} + {1'b0, all[7:6]};
    wire [3:0]         add    = {1'b0, pair_0} + {1'b0, pair_1};
    wire [4:0]         low  = {1'b0, total_q[3:0]} + {1'b0, add};
    wire [MID_W-1:0]   mid  = total_q[4 +: MID_W] + ONE_MID;
    wire [TOP_W-1:0]   top  = total_q[COUNT_W-1:4+MID_W] + ONE_TOP;
    wire [COUNT_W-1:0] divisor;
    select_line #(.N(N_SLOT), .W(COUNT_W)) u_divisor (.words_i(count), .line_i(first_line_q), .word_o(divisor));
    // The last subtraction may go below 0, as the highest bit then says: none waits for its borrow.
    wire below = total_q[COUNT_W-1];
    wire rest  = total_q != {COUNT_W{1'b0}} && !below;
    wire goes  = limit_q != n_max_q && (limit_q == NONE || rest); // once more

    always @(posedge clk) begin
        if (rst_i || restart_i) total_q <= {COUNT_W{1'b0}};
        else if (counts) begin
            total_q[3:0] <= low[3:0];
            if (low[4]) total_q[4 +: MID_W] <= mid;
            if (low[4] && (&total_q[4 +: MID_W])) total_q[COUNT_W-1:4+MID_W] <= top;
        end else if (throttles && goes) total_q <= total_q - divisor;
    end

    // ---- Tnew, and the phases ----------------------------------------------

    wire               above   = {1'b0, n_max_i} > SLOTS[LIMIT_W:0];
    wire [LIMIT_W-1:0] n_max   = (n_max_i == NONE) ? ONE : above ? SLOTS[LIMIT_W-1:0] : n_max_i;
    wire               down    = rounding_i == 2'd0 && below;
    wire               up      = rounding_i[1] && limit_q != n_max_q;
    wire [LIMIT_W-1:0] rounded = limit_q + {{(LIMIT_W-1){down}}, up || down}; // by -1, 0 or 1

    always @(posedge clk) begin
        if (rst_i) begin
            phase_q      <= MONITOR;
            n_max_q      <= NONE;
            limit_q      <= NONE;
            started_q    <= {N_SLOT{1'b0}};
            first_q      <= {SLOT_W{1'b0}};
            first_line_q <= {N_SLOT{1'b0}};
        end else if (restart_i) begin
            phase_q   <= MONITOR;
            n_max_q   <= n_max;
            limit_q   <= n_max;
            started_q <= started_i;
        end else if (monitors) begin
            started_q    <= started_q | started_i;
            first_line_q <= first_line;
            if (ends_any) begin
                phase_q <= THROTTLE;
                limit_q <= NONE;
                first_q <= first;
            end
        end else if (throttles && goes) begin
            limit_q   <= limit_q + ONE;
        end else if (throttles) begin
            phase_q   <= LAZY;
            limit_q   <= rounded;
        end
    end

    assign phase_o = phase_q;
    assign hold_o  = throttles || ends_monitor;
    assign limit_o = limit_q;

    // ---- Properties, proved by induction -----------------------------------

`ifdef FORMAL
    reg f_started = 1'b0; // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    // Wide enough for the products below. What is left of the total may be below 0.
    localparam integer F_W = COUNT_W + 8;
    wire [F_W-1:0] f_left  = {{8{below && !monitors}}, total_q};
    wire [F_W-1:0] f_first = divisor;
    wire [F_W-1:0] f_limit = limit_q;
    wire [F_W-1:0] f_last  = f_left + f_first; // what was left before the last subtraction
    wire [F_W-1:0] f_whole = f_left + f_limit * f_first;
    localparam [F_W-1:0] F_QUARTER = 1 << (COUNT_W - 2);
    localparam [N_SLOT-1:0] F_SLOT_0 = 1;

    reg [F_W-1:0]     f_total;     // in Throttle and Lazy: the total at the end of Monitor
    reg [1:0]         f_rounding;  // in Lazy: at the end of Throttle
    reg [LIMIT_W-1:0] f_throttled; // cycles in Throttle
    reg               f_once;      // in each slot of the kernel one CTA has started
    reg [N_SLOT-1:0]  f_ends;      // in the last cycle
    always @(posedge clk) begin
        f_ends <= ends;
        if (monitors) f_total <= f_left + (counts ? add : 0);
        if (throttles) f_rounding <= rounding_i;
        f_throttled <= throttles ? f_throttled + 1'b1 : 0;
        if (rst_i || restart_i) f_once <= 1'b1;
        else if (monitors && (started_i & started_q & ~ended_i) != 0) f_once <= 1'b0;
    end

    reg [F_W-1:0] f_sum;   // of the slots' counts
    reg           f_parts; // none is above the total
    integer       f_s;
    always @* begin
        f_sum   = 0;
        f_parts = 1'b1;
        for (f_s = 0; f_s < N_SLOT; f_s = f_s + 1)
            if (started_q[f_s]) begin
                f_sum   = f_sum + count[COUNT_W*f_s +: COUNT_W];
                f_parts = f_parts && count[COUNT_W*f_s +: COUNT_W] <= total_q;
            end
    end

    // What Tnew is, by products: so often the first goes into the total.
    wire f_full  = limit_q == n_max_q;
    wire f_floor = f_limit * f_first <= f_total && ((f_limit + 1) * f_first > f_total || f_full);
    wire f_ceil  = (f_limit * f_first >= f_total || f_full) && (f_limit == 1 || (f_limit - 1) * f_first < f_total);
    wire f_above = f_full || ((f_limit - 1) * f_first >= f_total
                              && (f_limit == 2 || (f_limit - 2) * f_first < f_total));

    always @(posedge clk) begin
        if (f_started) begin
            a_phase    : assert (phase_q <= LAZY && first_q < N_SLOT && n_max_q <= N_SLOT);
            a_range    : assert (hold_o || n_max_q == 0 || (limit_o >= 1 && limit_o <= n_max_q));
            a_none     : assert (n_max_q != 0 || limit_q == 0);
            a_monitor  : assert (!monitors || limit_q == n_max_q);
            a_room     : assert (!monitors || total_q < F_QUARTER + 12);
            a_part     : assert (!monitors || f_parts);
            a_sum      : assert (!f_once || f_sum == (monitors ? f_left : f_total));
            a_wide     : assert (monitors || f_total < F_QUARTER + 12);
            a_divides  : assert (!throttles || f_whole == f_total);
            a_first    : assert (monitors || f_first <= f_total);
            a_line     : assert (monitors || first_line_q == F_SLOT_0 << first_q);
            a_below    : assert (!throttles || !below || limit_q >= 2);
            a_last     : assert (!throttles || !below || (f_last != 0 && f_last < f_first));
            a_steps    : assert (!throttles || (f_throttled == limit_q && limit_q <= n_max_q));
            if (phase_q == LAZY && n_max_q != 0 && f_total != 0) begin
                a_floor : assert (f_rounding != 0 || f_floor);
                a_ceil  : assert (f_rounding != 1 || f_ceil);
                a_above : assert (f_rounding < 2 || f_above);
            end
            if ($past(!rst_i && restart_i))
                a_restart : assert (monitors && total_q == 0 && limit_q >= 1
                                    && (limit_q == $past(n_max_i) || $past(n_max_i) == 0 || limit_q == N_SLOT));
            if ($past(!rst_i && !restart_i && phase_q == LAZY))
                a_lazy : assert (phase_q == LAZY && limit_q == $past(limit_q));
            if ($past(!rst_i && !restart_i && monitors && (ended_i & started_q) != 0))
                a_hold : assert ($past(hold_o) && hold_o && throttles && f_ends[first_q]
                                 && (f_ends & ~({N_SLOT{1'b1}} << first_q)) == 0);
            if ($past(rst_i))
                a_reset : assert (phase_q == 0 && n_max_q == 0 && limit_q == 0 && started_q == 0 && first_q == 0
                                  && total_q == 0 && count == 0);
            if (!rst_i) begin
                c_below   : cover (phase_q == LAZY && (N_SLOT == 1 || (f_rounding == 1 && below && limit_q == 2)));
                c_exact   : cover (phase_q == LAZY && total_q == 0 && f_total != 0 && (N_SLOT == 1 || limit_q == 2));
                c_clamped : cover (phase_q == LAZY && f_full && !below && total_q != 0);
                c_stopped : cover (monitors && !restart_i && !counts && n_max_q != 0);
            end
        end
    end
`endif

endmodule

`default_nettype wire
