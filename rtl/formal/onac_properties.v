// onac_properties - what is proved of the detector, without a bound by induction, for the sizes in tb/units/onac.
//
// Ports: those of the detector, and registers and nets of it, under their names. The core status table that it writes is
// kept beside the design: f_active, f_paused. Partial results are held to formulas with * and /. Assertions are a_, covers
// c_, other proof-only names f_.

`default_nettype none

module onac_properties #(
    parameter integer N_CORE   = 32,
    parameter integer COUNT_W  = 32,
    parameter integer NUMBER_W = $clog2(N_CORE + 1),
    parameter integer CORE_W   = (N_CORE > 1) ? $clog2(N_CORE) : 1,
    parameter integer HALF_W   = (COUNT_W + 1) / 2,
    parameter integer COMPLETED_W = $clog2(8 * N_CORE),
    parameter integer TOTAL_W  = 1 + ((HALF_W + NUMBER_W > COMPLETED_W) ? HALF_W + NUMBER_W : COMPLETED_W),
    parameter integer SUM_W    = COUNT_W + CORE_W,
    parameter integer DIGIT_W  = (SUM_W + HALF_W > COUNT_W + NUMBER_W + 6) ? SUM_W + HALF_W : COUNT_W + NUMBER_W + 6
) (
    input wire clk, rst_i, restart_i, exhausted_i, write_o, done_o, aborted_o,
    input wire [N_CORE-1:0] acks_i, answers_i, active_o, paused_o, request_o,
    // Registers and nets.
    input wire [3:0] state_q,
    input wire [7:0] step_q, limit_q, lap_q,
    input wire [8:0] at_q,
    input wire last,
    input wire seq_det_q, creep_q, all_known_q,
    input wire [HALF_W-1:0] quota_q,
    input wire [COUNT_W-1:0] all_cycles_q, all_ipc_q, ipc_q, previous_ipc_q, cycles_q, phase_q,
    input wire [NUMBER_W-1:0] number_q, previous_number_q, factor_q,
    input wire [TOTAL_W-1:0] target_q, completions_q,
    input wire [SUM_W-1:0] sum_q,
    input wire [DIGIT_W-1:0] dividend_q,
    input wire [COUNT_W+5:0] remainder_q,
    input wire [COUNT_W+6:0] divisor_q, gap_q
);

    localparam [3:0] IDLE = 0, TARGET = 1, PAUSE = 2, REQUEST = 3, WINDOW = 4, SUM = 5, DIVIDE = 6, TEST = 7,
                     ESTIMATE = 8;

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    // The table, and whether all the cores it has paused have acknowledged.
    reg  [N_CORE-1:0] f_active;
    reg  [N_CORE-1:0] f_paused;
    wire              f_acked    = &(acks_i | ~f_paused);
    wire              f_answered = &(answers_i | ~request_o);
    always @(posedge clk) begin
        if (rst_i) begin
            f_active <= {N_CORE{1'b1}};
            f_paused <= 0;
        end else if (write_o) begin
            f_active <= active_o;
            f_paused <= paused_o;
        end
    end

    // Any two cores, one below the other.
    (* anyconst *) reg [CORE_W-1:0] f_low;
    (* anyconst *) reg [CORE_W-1:0] f_high;
    always @* assume (f_low <= f_high && f_high < N_CORE);
    wire f_low_runs  = f_active[f_low] && !f_paused[f_low];
    wire f_high_runs = f_active[f_high] && !f_paused[f_high];

    wire f_detects = state_q != IDLE;
    // The last step of each state.
    wire [7:0] f_last_step = state_q == TARGET ? NUMBER_W : state_q == SUM ? number_q : state_q == DIVIDE ? DIGIT_W + 1
                             : state_q == TEST ? 4 : state_q == ESTIMATE ? NUMBER_W + DIGIT_W : 0;
    wire f_last    = step_q == f_last_step;

    // ---- What the estimation records say, in numbers wide enough ------------

    localparam W = DIGIT_W + 2;
    wire [W-1:0] f_all  = all_ipc_q;
    wire [W-1:0] f_ipc  = ipc_q;
    wire [W-1:0] f_gap  = 49 * f_all - 50 * f_ipc;
    wire [W-1:0] f_rise = f_ipc - previous_ipc_q;
    wire [W-1:0] f_run  = number_q - previous_number_q;
    wire         f_near = 50 * f_ipc >= 49 * f_all;
    wire         f_rose = ipc_q > previous_ipc_q;
    wire [W-1:0] f_gap_q = {{(W-COUNT_W-7){gap_q[COUNT_W+6]}}, gap_q};

    // What partial results are after so many steps.
    wire       f_tests = state_q == TEST;
    wire       f_fresh = f_tests && step_q == 0;
    wire [5:0] f_of_gap  = f_tests && step_q == 1 ? 1 : f_tests && step_q == 2 ? 7 : 49;
    wire [5:0] f_of_rise = f_tests && step_q == 1 ? 1 : f_tests && step_q == 2 ? 5 : 50;
    wire [COUNT_W+6:0]  f_gap_then = f_fresh ? f_all
                                   : (f_all - f_ipc) * f_of_gap - (f_tests && step_q < 4 ? 0 : f_ipc);
    wire [COUNT_W+6:0]  f_divisor_then = f_rise * f_of_rise;
    wire [NUMBER_W-1:0] f_factor_then  = f_tests ? f_run : f_run << step_q;

    // ---- The divider --------------------------------------------------------

    // What is used of the number is quotient * divisor + remainder, and the rest stands above the quotient.
    wire           f_divides  = (state_q == DIVIDE && step_q != 0) || (state_q == ESTIMATE && step_q >= NUMBER_W);
    wire [2*W-1:0] f_number   = state_q == DIVIDE ? sum_q << HALF_W : f_gap_q * f_run;
    wire [7:0]     f_used     = state_q == DIVIDE ? step_q - 1 : step_q - NUMBER_W;
    wire [7:0]     f_left     = DIGIT_W - f_used;
    wire [2*W-1:0] f_quotient = dividend_q & ((1 << f_used) - 1);
    wire [2*W-1:0] f_whole    = f_quotient * divisor_q + remainder_q;
    wire [DIGIT_W-1:0] f_rest = f_number & ((1 << f_left) - 1);

    // ---- Assertions ---------------------------------------------------------

    always @(posedge clk) begin
        if (f_started) begin
            // The machine.
            a_state    : assert (state_q <= ESTIMATE && step_q <= f_last_step && last == f_last);
            a_at       : assert (at_q == 9'd1 << state_q);
            a_number   : assert (number_q >= 1 && number_q <= N_CORE);
            a_idle     : assert (!(done_o && f_detects) && (!aborted_o || (done_o && number_q == N_CORE)));
            a_off      : assert (f_detects || done_o || number_q == N_CORE);
            a_all      : assert (!f_detects || all_known_q == (number_q < N_CORE));
            a_known    : assert ((state_q != TEST && state_q != ESTIMATE && state_q != REQUEST) || all_known_q);
            a_write    : assert (!write_o || state_q == IDLE || (state_q == TARGET && step_q == 0));
            a_grew     : assert (!(f_detects && all_known_q && !seq_det_q) || previous_number_q < number_q);
            a_seq      : assert (!(f_detects && all_known_q && seq_det_q) || (previous_number_q == 0 && previous_ipc_q == 0));
            a_slope    : assert (state_q != ESTIMATE || (f_rose && !f_near && !seq_det_q));

            // The table: the cores that run are the first, and who ends leaves none paused.
            a_table    : assert (write_o || (f_active == active_o && f_paused == paused_o));
            a_nested   : assert (!f_high_runs || f_low_runs);
            a_free     : assert (f_detects || write_o || f_paused == 0);
            a_inactive : assert (!f_detects || write_o || f_active == {N_CORE{1'b1}});
            if (state_q == PAUSE || state_q == REQUEST || state_q == WINDOW)
                a_running : assert ((f_active[f_low] && !f_paused[f_low]) == (f_low < number_q));
            if ($past(!rst_i && state_q == PAUSE) && (state_q == REQUEST || state_q == WINDOW))
                a_acked : assert ($past(f_acked));
            if (state_q == REQUEST)
                a_request : assert ($past(state_q == PAUSE || state_q == REQUEST) && request_o == (f_active & ~f_paused));
            if ($past(!rst_i && state_q == REQUEST) && state_q == WINDOW)
                a_answered : assert ($past(f_answered));

            // A kernel that has no CTA left to issue ends it, and the next one begins on all: nothing stays paused.
            if ($past(!rst_i && !restart_i && exhausted_i))
                a_exhausted : assert (!f_detects);
            if ($past(!rst_i && restart_i))
                a_restart : assert (write_o && active_o == {N_CORE{1'b1}} && paused_o == 0 && !done_o);

            // What is decided.
            if ($past(!rst_i && !restart_i && !exhausted_i && state_q != IDLE && all_known_q && !seq_det_q)
                && state_q == TARGET && write_o)
                a_grows : assert (number_q > $past(number_q));
            if ($past(!rst_i && !restart_i && !exhausted_i && state_q == TEST && f_last && !seq_det_q))
                a_test : assert ($past(f_near) ? (done_o && !aborted_o && number_q == $past(number_q))
                                               : $past(f_rose) == (state_q == ESTIMATE));
            if ($past(!rst_i && !restart_i && !exhausted_i && state_q == TEST && f_last && seq_det_q))
                a_lower : assert ($past(f_near) ? number_q == $past(number_q) - ($past(number_q) != 1)
                                                : done_o && number_q == $past(number_q) + 1);
            if ($past(!rst_i && !restart_i && !exhausted_i && state_q == ESTIMATE && f_last)) begin
                a_up   : assert (number_q == N_CORE
                                 || (number_q - $past(number_q)) * 50 * $past(f_rise) >= $past(f_gap) * $past(f_run));
                a_least : assert ((number_q - $past(number_q) - 1) * 50 * $past(f_rise) < $past(f_gap) * $past(f_run));
            end
            if ($past(!rst_i && !restart_i && state_q == DIVIDE && f_last))
                a_ipc : assert ($past(all_known_q) ? ipc_q == $past(f_sample) : all_ipc_q == $past(f_sample));

            // Partial results.
            if (state_q == TARGET && step_q != 0) begin
                a_multiply  : assert (target_q == (number_q >> (NUMBER_W + 1 - step_q)) * quota_q);
                a_multiplier : assert (factor_q == (f_shifted & ((1 << NUMBER_W) - 1)));
            end
            if (state_q == PAUSE || state_q == REQUEST || state_q == WINDOW)
                a_target : assert (target_q == number_q * quota_q);
            if (state_q == REQUEST)
                a_begins : assert (cycles_q == 0 && completions_q == 0 && lap_q == 0 && phase_q == 1);
            if (state_q == WINDOW)
                a_fits : assert (completions_q < target_q + (1 << COMPLETED_W));
            if ((state_q == WINDOW || state_q == SUM) && all_known_q) begin
                a_lap   : assert (cycles_q + 1 == lap_q * all_cycles_q + phase_q);
                a_phase : assert (phase_q >= 1 && phase_q <= all_cycles_q);
                a_late  : assert (lap_q < limit_q || (lap_q == limit_q && phase_q == 1));
            end
            a_length   : assert (!all_known_q || all_cycles_q != 0);
            a_cycles   : assert ((state_q != SUM && state_q != DIVIDE) || cycles_q != 0);
            if (state_q == TEST || state_q == ESTIMATE) begin
                a_gap     : assert (gap_q == f_gap_then);
                a_divisor : assert (f_fresh || divisor_q == f_divisor_then);
                a_factor  : assert (f_fresh || factor_q == f_factor_then);
            end
            if (state_q == DIVIDE && step_q != 0)
                a_loaded : assert (f_gap_q == f_all || !all_known_q);
            if (state_q == DIVIDE)
                a_by : assert (divisor_q == cycles_q);
            if (state_q == ESTIMATE && step_q <= NUMBER_W)
                a_product : assert (dividend_q == f_gap_q * (f_run >> (NUMBER_W - step_q)));
            if (state_q == TEST && step_q != 0)
                a_empty : assert (dividend_q == 0);
            if (f_divides) begin
                a_rest      : assert (dividend_q >> f_used == f_rest);
                a_division  : assert (f_number >> f_left == f_whole && (f_number >> DIGIT_W) == 0);
                a_remainder : assert (remainder_q < divisor_q);
            end
            if (!f_divides)
                a_cleared : assert (state_q == TEST && step_q == 0 || state_q == IDLE || state_q == TARGET && step_q == 0
                                    || remainder_q == 0);
        end
    end
    wire [W-1:0] f_shifted = number_q << (step_q - 1);

    // The IPC of the window that has closed.
    wire [W-1:0]       f_ratio  = (sum_q << HALF_W) / cycles_q;
    wire [COUNT_W-1:0] f_sample = (f_ratio >> COUNT_W) != 0 ? {COUNT_W{1'b1}} : f_ratio[COUNT_W-1:0];

    // ---- Covers -------------------------------------------------------------

    always @(posedge clk) begin
        if (f_started && !rst_i) begin
            c_window : cover (state_q == WINDOW && number_q == N_CORE);
            c_done   : cover (done_o && !aborted_o && !seq_det_q);
            c_abort  : cover (aborted_o && f_paused == 0);
        end
    end

endmodule

`default_nettype wire
