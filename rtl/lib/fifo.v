// fifo - words in the order in which they came.
//
// Purpose
//   A queue between two that are ready at different times. What came first stands at the output (first
//   word falls through). The memory has one write port and one read port, without reset.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               words, 1..1024
//   W               bits of a word, 1..1024
//   COUNT_W         bits of the number of words; derived, never overridden
//
// Ports             width        meaning
//   clk             1            clock, rising edge
//   rst_i           1            reset, synchronous, active high: the queue is empty
//   in_valid_i      1            a word comes
//   in_data_i       W            this one
//   in_ready_o      1            it is taken: there is room
//   out_valid_o     1            a word stands at the output
//   out_data_o      W            this one; without out_valid it means nothing
//   out_ready_i     1            it is taken
//   count_o         COUNT_W      so many words are in the queue
//
// Timing
//   Valid and ready depend on state alone: a word comes out a cycle after it went in at the earliest, and a
//   full queue takes a word a cycle after one was taken from it.

`default_nettype none

module fifo #(
    parameter integer N       = 4,
    parameter integer W       = 8,
    parameter integer COUNT_W = $clog2(N + 1)
) (
    input  wire               clk,
    input  wire               rst_i,
    input  wire               in_valid_i,
    input  wire [W-1:0]       in_data_i,
    output wire               in_ready_o,
    output wire               out_valid_o,
    output wire [W-1:0]       out_data_o,
    input  wire               out_ready_i,
    output wire [COUNT_W-1:0] count_o
);

    generate
        if (N < 1 || N > 1024 || W < 1 || W > 1024 || COUNT_W != $clog2(N + 1)) begin : g_check
            fifo_needs_N_and_W_1_to_1024 u_stop ();
        end
    endgenerate

    localparam integer PLACE_W = (N > 1) ? $clog2(N) : 1;
    localparam integer HIGHEST = N - 1;
    localparam [PLACE_W-1:0] LAST    = HIGHEST[PLACE_W-1:0];
    localparam [PLACE_W-1:0] PLACE_1 = 1;
    localparam [COUNT_W-1:0] FULL    = N[COUNT_W-1:0];
    localparam [COUNT_W-1:0] COUNT_1 = 1;

    reg [W-1:0]       data_q [0:N-1];
    reg [PLACE_W-1:0] in_q;     // where the next word goes
    reg [PLACE_W-1:0] out_q;    // where the first one is
    reg [COUNT_W-1:0] count_q;  // words

    wire in  = in_valid_i && in_ready_o;
    wire out = out_valid_o && out_ready_i;

    assign in_ready_o  = count_q != FULL;
    assign out_valid_o = count_q != {COUNT_W{1'b0}};
    assign out_data_o  = data_q[out_q];
    assign count_o     = count_q;

    always @(posedge clk) begin : p_memory
        if (in) data_q[in_q] <= in_data_i;
    end

    always @(posedge clk) begin : p_state
        if (rst_i) begin
            in_q    <= {PLACE_W{1'b0}};
            out_q   <= {PLACE_W{1'b0}};
            count_q <= {COUNT_W{1'b0}};
        end else begin
            if (in) in_q <= (in_q == LAST) ? {PLACE_W{1'b0}} : in_q + PLACE_1;
            if (out) out_q <= (out_q == LAST) ? {PLACE_W{1'b0}} : out_q + PLACE_1;
            if (in && !out) count_q <= count_q + COUNT_1;
            if (out && !in) count_q <= count_q - COUNT_1;
        end
    end

    // ---- Formal ------------------------------------------------------------
    // f_mark picks any word that goes in: it comes out, unchanged, after those that were there.

`ifdef FORMAL
    (* anyseq *) reg f_mark;
    reg           f_started = 1'b0;  // at least one rising edge has passed
    reg           f_watched;         // the marked word is in the queue
    reg   [W-1:0] f_data;            // it
    integer       f_ahead;           // words before it
    integer       f_place;
    always @* begin
        if (!f_started) assume (rst_i);
        f_place = (out_q + f_ahead) % N;
    end
    always @(posedge clk) begin
        f_started <= 1'b1;
        if (rst_i) begin
            f_watched <= 1'b0;
        end else if (!f_watched) begin
            f_watched <= f_mark && in_valid_i && in_ready_o;
            f_data    <= in_data_i;
            f_ahead   <= count_o - out;
        end else begin
            f_watched <= !(out && f_ahead == 0);
            f_ahead   <= f_ahead - out;
        end
        if (f_started) begin
            a_count  : assert (count_o <= N && in_ready_o == (count_o < N)
                               && out_valid_o == (count_o > 0));
            a_places : assert (in_q < N && out_q < N && in_q == (out_q + count_o) % N);
            if (f_watched) begin
                a_ahead : assert (f_ahead >= 0 && f_ahead < count_o);
                a_kept  : assert (data_q[f_place] == f_data);
                if (f_ahead == 0)
                    a_out : assert (out_valid_o && out_data_o == f_data);
            end
            c_full : cover (!in_ready_o && f_watched && f_ahead == N - 1);
            c_out  : cover (f_watched && f_ahead == 0 && out && count_o == N);
        end
    end
`endif

endmodule

`default_nettype wire
