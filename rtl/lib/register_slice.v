// register_slice - a register between valid and ready, in both directions.
//
// Purpose
//   Cuts a path: no output depends on an input in its own cycle. Two words, so that a word can pass in
//   each cycle: ready, that comes a cycle late, finds room for the word that was on its way.
//
// Parameters, outside of whose ranges it does not elaborate
//   W               bits of a word, 1..1024
//
// Ports             width        meaning
//   clk             1            clock, rising edge
//   rst_i           1            reset, synchronous, active high: both words are empty
//   in_valid_i      1            a word comes
//   in_data_i       W            this one
//   in_ready_o      1            it is taken
//   out_valid_o     1            a word stands at the output
//   out_data_o      W            this one; without out_valid it means nothing
//   out_ready_i     1            it is taken
//
// Timing
//   A word comes out a cycle after it went in, if those before it were taken.

`default_nettype none

module register_slice #(
    parameter integer W = 8
) (
    input  wire         clk,
    input  wire         rst_i,
    input  wire         in_valid_i,
    input  wire [W-1:0] in_data_i,
    output wire         in_ready_o,
    output wire         out_valid_o,
    output wire [W-1:0] out_data_o,
    input  wire         out_ready_i
);

    generate
        if (W < 1 || W > 1024) begin : g_check
            register_slice_needs_W_1_to_1024 u_stop ();
        end
    endgenerate

    reg         valid_q;   // a word stands at the output
    reg [W-1:0] data_q;
    reg         behind_q;  // and another one waits behind it
    reg [W-1:0] late_q;

    wire in    = in_valid_i && in_ready_o;
    wire moves = !valid_q || out_ready_i;  // the output is empty in the next cycle

    assign in_ready_o  = !behind_q;
    assign out_valid_o = valid_q;
    assign out_data_o  = data_q;

    always @(posedge clk) begin : p_data
        if (moves) data_q <= behind_q ? late_q : in_data_i;
        if (in) late_q <= in_data_i;
    end

    always @(posedge clk) begin : p_state
        if (rst_i) begin
            valid_q  <= 1'b0;
            behind_q <= 1'b0;
        end else begin
            valid_q  <= behind_q || in || !moves;
            behind_q <= (behind_q || in) && !moves;
        end
    end

    // ---- Formal ------------------------------------------------------------
    // f_mark picks any word that goes in: it comes out, unchanged, after those that were there.

`ifdef FORMAL
    (* anyseq *) reg f_mark;
    reg         f_started = 1'b0;  // at least one rising edge has passed
    reg         f_watched;         // the marked word is here
    reg         f_second;          // behind another one
    reg [W-1:0] f_data;            // it
    wire        f_out = out_valid_o && out_ready_i;
    always @* if (!f_started) assume (rst_i);
    always @(posedge clk) begin
        f_started <= 1'b1;
        if (rst_i) begin
            f_watched <= 1'b0;
        end else if (!f_watched) begin
            f_watched <= f_mark && in_valid_i && in_ready_o;
            f_data    <= in_data_i;
            f_second  <= out_valid_o && !out_ready_i;
        end else begin
            f_watched <= !(f_out && !f_second);
            f_second  <= f_second && !f_out;
        end
        if (f_started) begin
            a_room : assert (out_valid_o || in_ready_o);
            if (f_watched) begin
                a_behind : assert (!f_second || !in_ready_o);
                a_late   : assert (!f_second || late_q == f_data);
                a_out    : assert (f_second || (out_valid_o && out_data_o == f_data));
            end
            if ($past(!rst_i && in_ready_o && !in_valid_i && f_out))
                a_left : assert (!out_valid_o);
            if ($past(!rst_i && out_valid_o && !out_ready_i))
                a_stays : assert (out_valid_o && out_data_o == $past(out_data_o));
            c_full : cover (!in_ready_o && f_watched && f_second);
            c_flow : cover (f_out && in_valid_i && in_ready_o && $past(f_out && in_valid_i && in_ready_o));
        end
    end
`endif

endmodule

`default_nettype wire
