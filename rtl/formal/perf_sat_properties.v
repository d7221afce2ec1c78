// perf_sat_properties - what is proved of Perf-Sat, without a bound by induction, for the sizes in tb/units/perf_sat.
//
// Ports: those of the table, and nets of it, under their names. Beside the design are kept: the cycles of One_TB, the
// cycles of the running period, and how many samples have been judged since the restart. Detection ends because each
// state has a number of samples that are left at most, and each sample makes it smaller. Assertions are a_, covers c_,
// other proof-only names f_.

`default_nettype none

module perf_sat_properties #(
    parameter integer CTA_W   = 6,
    parameter integer COUNT_W = 32
) (
    input wire clk, rst_i, restart_i, cooperative_i, started_i, hold_i, votes_two_i, done_o, judged_o,
    input wire [CTA_W-1:0] n_max_i, n_more_i, limit_o,
    input wire [2:0] stalled_i, ended_i,
    input wire [4:0] settle_i,
    input wire [1:0] state_o,
    // Registers and nets.
    input wire [2:0] phase_q,
    input wire down_q, dir_q, hist_q, judges,
    input wire [1:0] toggles_q,
    input wire [CTA_W-1:0] limit_q, n_max_q,
    input wire [CTA_W:0] n_ctas_q,
    input wire [COUNT_W-1:0] prev_q, stalled_q, elapsed_q, period_q,
    input wire [4:0] settle_q
);

    localparam [2:0] DONE = 3'd0, WAITING = 3'd1, MEASURING = 3'd2, FIRST = 3'd3, FURTHER = 3'd4;

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    // ---- What is kept beside it ----------------------------------------------

    reg [COUNT_W:0] f_one_tb; // up to where the period is full in any case
    reg [COUNT_W:0] f_cycles; // of the running period
    reg [7:0]       f_samples;
    reg             f_two;    // votes_two has been high since the restart
    wire f_counts = !hold_i && settle_q == 0;

    always @(posedge clk) begin
        if (rst_i || restart_i) begin
            f_one_tb  <= 0;
            f_cycles  <= 0;
            f_samples <= 0;
            f_two     <= 0;
        end else begin
            f_two <= f_two || votes_two_i;
            if (phase_q == WAITING && started_i) f_one_tb <= 1;
            if (phase_q == MEASURING && !hold_i && !f_one_tb[COUNT_W]) f_one_tb <= f_one_tb + 1;
            if (judges) f_samples <= f_samples + 1;
            if (phase_q >= FIRST)
                f_cycles <= settle_q != 0 ? 0 : judges ? 1 : f_cycles + f_counts;
        end
    end

    // ---- What follows from Nmax ----------------------------------------------

    wire [11:0] f_n    = limit_q;
    wire [11:0] f_most = n_max_q;
    wire [11:0] f_half = (f_most + 1) / 2;

    // Samples that are left at most, from each state.
    wire [11:0] f_further = down_q ? f_n - 1 : f_most - f_n;
    wire [11:0] f_decided = 3 * f_further + 4 - toggles_q;
    wire [11:0] f_open    = (f_two ? 2 : 1) * (3 - toggles_q) + !hist_q + 3 * f_half - 1;
    wire [11:0] f_left    = phase_q == DONE ? 0 : dir_q ? f_decided
                            : f_open + (phase_q != FURTHER);
    wire [11:0] f_bound   = 3 * f_half + (f_two ? 7 : 4);

    always @(posedge clk) begin
        if (f_started) begin
            // The limit.
            a_phase : assert (phase_q <= FURTHER);
            a_range : assert (f_n <= f_most && (f_n != 0 || f_most == 0));
            a_ctas  : assert (n_ctas_q >= n_max_q);
            a_most  : assert (phase_q == DONE || f_most >= 2);
            if (phase_q != DONE && phase_q != FURTHER)
                a_first  : assert (f_n == f_half && !down_q && !dir_q && !hist_q && toggles_q == 0);
            if (phase_q == FURTHER && !dir_q)
                a_open   : assert (f_n == f_half + !down_q && toggles_q[0] == down_q);
            if (phase_q == FURTHER && dir_q)
                a_beyond : assert (down_q ? f_n < f_half : f_n > f_half + 1);
            if (phase_q == FURTHER && dir_q)
                a_parity : assert (toggles_q[0] == !hist_q);

            // Detection ends.
            if (!rst_i) a_bound : assert (f_samples + f_left <= f_bound);

            // Measuring and sampling.
            if (phase_q >= MEASURING) a_some : assert (f_one_tb != 0 && period_q != 0);
            if (phase_q >= FIRST) begin
                a_cycles  : assert (elapsed_q == f_cycles);
                a_elapsed : assert (f_cycles <= period_q && period_q != 0);
                if (judges) a_judge : assert (f_cycles == period_q && f_counts);
            end
            if (phase_q == WAITING || phase_q == MEASURING)
                a_empty   : assert (settle_q == 0 && elapsed_q == 0 && stalled_q == 0 && f_cycles == 0);

            // From one cycle to the next.
            if ($past(rst_i))
                a_reset   : assert (done_o && limit_o == 0 && !judged_o);
            if ($past(!rst_i && !restart_i && done_o))
                a_done    : assert (done_o && limit_o == $past(limit_o));
            if ($past(!rst_i && !restart_i && !judges))
                a_stays   : assert (limit_o == $past(limit_o) && !judged_o && state_o == $past(state_o));
            if ($past(!rst_i && !restart_i && hold_i && !started_i && ended_i == 0 && phase_q >= MEASURING
                      && settle_q == 0))
                a_hold    : assert ($stable({phase_q, down_q, dir_q, hist_q, toggles_q, limit_q, n_max_q, n_ctas_q, prev_q,
                                             stalled_q, elapsed_q, period_q, settle_q}));
            if ($past(!rst_i && restart_i)) begin
                a_restart : assert (n_max_q == $past(n_max_i) && n_ctas_q == n_max_q + {1'b0, $past(n_more_i)} && !judged_o
                                    && done_o == ($past(cooperative_i) || n_max_q <= 1));
                if (done_o) a_fixed : assert (limit_o == n_max_q);
            end
            if ($past(!rst_i && !restart_i && judges))
                a_judged  : assert (judged_o);
            if ($past(!rst_i && !restart_i && judges && phase_q == FURTHER && prev_q <= stalled_q))
                a_worse   : assert ($past(dir_q) ? limit_o == $past(limit_o) || done_o
                                                 : limit_o == ($past(down_q) ? f_half + 1 : f_half));
        end
    end

    // The product, where it is small enough to be proved.
    generate
        if (CTA_W + COUNT_W < 10) begin : g_product
            wire [COUNT_W+CTA_W+1:0] f_period = f_one_tb * n_ctas_q;
            always @(posedge clk) if (f_started && phase_q >= MEASURING)
                a_period : assert (f_period[COUNT_W+CTA_W+1:COUNT_W] != 0
                                   ? period_q == {COUNT_W{1'b1}} : period_q == f_period);
        end
    endgenerate

    // ---- Covers, where n_max comes far enough ----------------------------------

    generate
        if (CTA_W > 1) begin : g_cover
            always @(posedge clk) if (f_started && !rst_i) begin
                c_undecided : cover (done_o && judged_o && !dir_q);
                c_upmost    : cover (done_o && judged_o && dir_q && !down_q && hist_q);
                c_full      : cover (phase_q == FURTHER && period_q == {COUNT_W{1'b1}});
                c_settling  : cover (settle_q == 5'd1 && judged_o);
            end
        end
        if (CTA_W > 2) begin : g_search
            always @(posedge clk) if (f_started && !rst_i) begin
                c_passed  : cover (done_o && judged_o && dir_q && !hist_q);
                c_resumed : cover (phase_q == FURTHER && dir_q && hist_q && toggles_q == 2'd2);
            end
        end
    endgenerate

endmodule

`default_nettype wire
