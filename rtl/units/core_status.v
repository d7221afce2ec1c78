// core_status - the core status table: of each core whether it is active, whether it is paused,
// and a sample of its instructions.
//
// Purpose
//   CTAs go to cores that are active and not paused. A sample counts the instructions of these
//   cores while its window is open; whoever has opened the window reads them one by one.
//
//   write_i ---> active_q, paused_q ---> open_o
//                                          |
//   issued_i ---> (+) ---> samples_q ------'---> select_word ---> sample_q ---> sample_o
//                  ^----------'  one per core       ^
//                                                 read_i
//
// Parameters, outside of whose ranges it does not elaborate
//   N_CORE         cores, 1..192
//   SAMPLE_W       bits of a sample, 1..32
//   CORE_W         bits of a core's number; derived, never overridden
//
// Ports            width        meaning
//   clk            1            clock, rising edge
//   rst_i          1            reset, synchronous, active high
//   write_i        1            active and paused of all cores are written
//   write_active_i N_CORE       bit c: core c is active from now on
//   write_paused_i N_CORE       and paused
//   clear_i        1            all samples become 0
//   window_i       1            the window of a sample is open
//   issued_i       4*N_CORE     warp instructions that each core issues in this cycle
//   read_i         CORE_W       core whose sample is shown in the next cycle
//   active_o       N_CORE       bit c: core c is active
//   paused_o       N_CORE       bit c: core c is paused
//   open_o         N_CORE       cores that CTAs go to: active and not paused
//   sample_o       SAMPLE_W     sample of the core read in the last cycle
//
// Paths
//   none: every output depends on state alone
//
// Timing
//   The sets show in the cycle after the write, what is issued in the cycle after the issue, and
//   a sample in the cycle after its core was asked for. One write and one read per cycle.
//
// Contract
//   Core       CTAs go to cores that are active and not paused: open. An active core keeps its CTAs while it is
//              paused; one that is not active takes no more.
//   Write      write replaces both sets; they show in the next cycle.
//   Sample     in a cycle with window high, the sample of each open core grows by what the core issues. It stops at
//              the highest number. Cores that are not open keep theirs.
//   Clear      makes all samples 0. What is issued in the same cycle is not counted.
//   Read       sample shows in the next cycle what core `read` has in this one. A core that is not there has 0.
//   Illegal    there is no illegal stimulus.
//
// Reset
//   All cores are active, and none is paused. Samples are 0. Outputs do not depend on rst_i, and nothing is counted
//   while it is high.
//
// Twin     core_status.c: equal outputs, registers and memories in every cycle after the first
//          reset edge.
//
// Source
//   Awatramani, "Workload-aware scheduling techniques for general purpose applications on graphics processing units",
//   dissertation, section 4.4.2.3, Core Status Table.
//
// Deviations
//   - The source has the core measure its IPC and the table record it. Built: the table counts the core's
//     instructions, and onac divides their sum once. The source gives no format.
//   - The other fields of the source's table, of which it says only that they are there, are those of the work
//     distributor.

`default_nettype none

module core_status #(
    parameter integer N_CORE   = 32,
    parameter integer SAMPLE_W = 32,
    parameter integer CORE_W   = (N_CORE > 1) ? $clog2(N_CORE) : 1 // derived, never overridden
) (
    input  wire                clk,
    input  wire                rst_i,

    input  wire                write_i,
    input  wire [N_CORE-1:0]   write_active_i,
    input  wire [N_CORE-1:0]   write_paused_i,
    input  wire                clear_i,
    input  wire                window_i,
    input  wire [4*N_CORE-1:0] issued_i,
    input  wire [CORE_W-1:0]   read_i,
    output wire [N_CORE-1:0]   active_o,
    output wire [N_CORE-1:0]   paused_o,
    output wire [N_CORE-1:0]   open_o,
    output wire [SAMPLE_W-1:0] sample_o
);

    // A bad value instantiates a module that does not exist; its name is the message.
    generate
        if (N_CORE < 1 || N_CORE > 192 || SAMPLE_W < 1 || SAMPLE_W > 32
            || CORE_W != ((N_CORE > 1) ? $clog2(N_CORE) : 1)) begin : g_check
            core_status_needs_N_CORE_1_to_192_SAMPLE_W_1_to_32 u_stop ();
        end
    endgenerate

    // ---- The sets ----------------------------------------------------------

    reg [N_CORE-1:0] active_q; // bit c: core c is active
    reg [N_CORE-1:0] paused_q; // bit c: core c is paused

    always @(posedge clk) begin
        if (rst_i) begin
            active_q <= {N_CORE{1'b1}};
            paused_q <= {N_CORE{1'b0}};
        end else if (write_i) begin
            active_q <= write_active_i;
            paused_q <= write_paused_i;
        end
    end

    assign active_o = active_q;
    assign paused_o = paused_q;
    assign open_o   = active_q & ~paused_q;

    // ---- A sample per core -------------------------------------------------

    localparam integer TOTAL_W = ((SAMPLE_W > 4) ? SAMPLE_W : 4) + 1;

    (* mem2reg *)                            // registers, of which all are read
    reg [SAMPLE_W-1:0]         samples_q [0:N_CORE-1];
    wire [N_CORE*SAMPLE_W-1:0] samples;

    genvar c;
    generate
        for (c = 0; c < N_CORE; c = c + 1) begin : g_core
            wire [TOTAL_W-1:0] total = {{(TOTAL_W-SAMPLE_W){1'b0}}, samples_q[c]}
                                     + {{(TOTAL_W-4){1'b0}}, issued_i[4*c +: 4]};
            wire full = total[TOTAL_W-1:SAMPLE_W] != {(TOTAL_W-SAMPLE_W){1'b0}};
            always @(posedge clk) begin
                if (rst_i || clear_i)          samples_q[c] <= {SAMPLE_W{1'b0}};
                else if (window_i & open_o[c]) samples_q[c] <= total[SAMPLE_W-1:0] | {SAMPLE_W{full}};
            end
            assign samples[SAMPLE_W*c +: SAMPLE_W] = samples_q[c];
        end
    endgenerate

    // ---- The read port, with a register ------------------------------------

    reg  [SAMPLE_W-1:0] sample_q;
    wire [SAMPLE_W-1:0] picked;

    select_word #(.N(N_CORE), .W(SAMPLE_W)) u_sample (
        .words_i  (samples),
        .number_i (read_i),
        .word_o   (picked)
    );
    always @(posedge clk) sample_q <= rst_i ? {SAMPLE_W{1'b0}} : picked;

    assign sample_o = sample_q;

    // ---- Properties, proved by induction -----------------------------------

`ifdef FORMAL
    reg f_started = 1'b0; // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    // One core, whichever it is: what it has issued since the last clear while it was open, in the window.
    localparam F_W = SAMPLE_W + 5;
    (* anyconst *) reg [CORE_W-1:0] f_core;
    always @* assume (f_core < N_CORE);
    wire [3:0]          f_issued = issued_i >> (4 * f_core);
    wire [SAMPLE_W-1:0] f_sample = samples >> (SAMPLE_W * f_core);
    wire                f_counts = window_i && active_o[f_core] && !paused_o[f_core];
    reg  [F_W-1:0]      f_total; // stops where it no longer fits a sample
    always @(posedge clk) begin
        if (rst_i || clear_i)                     f_total <= 0;
        else if (f_counts && f_total < 1 << SAMPLE_W) f_total <= f_total + f_issued;
    end

    always @(posedge clk) begin
        if (f_started) begin
            a_sample : assert (f_sample == ((f_total >> SAMPLE_W) != 0 ? {SAMPLE_W{1'b1}} : f_total[SAMPLE_W-1:0]));
            a_open   : assert (open_o[f_core] == (active_o[f_core] && !paused_o[f_core]));
            if ($past(rst_i))
                a_reset  : assert (active_o == {N_CORE{1'b1}} && paused_o == 0 && sample_o == 0);
            if ($past(!rst_i && read_i == f_core))
                a_read   : assert (sample_o == $past(f_sample));
            if ($past(!rst_i && read_i >= N_CORE))
                a_none   : assert (sample_o == 0);
            if ($past(!rst_i && write_i))
                a_write  : assert (active_o == $past(write_active_i) && paused_o == $past(write_paused_i));
            if ($past(!rst_i && !write_i))
                a_hold   : assert ($stable(active_o) && $stable(paused_o));
            if (!rst_i) begin
                c_full   : cover (&f_sample && f_total != {SAMPLE_W{1'b1}});
                c_still  : cover ($past(!rst_i && window_i && f_issued != 0 && !open_o[f_core]) && f_sample != 0);
                c_read   : cover (sample_o != 0 && f_core == N_CORE - 1 && sample_o == f_sample);
            end
        end
    end
`endif

endmodule

`default_nettype wire
