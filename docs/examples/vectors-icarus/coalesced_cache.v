// Somebody else's coalesced_cache: the ports and rules of docs/units/coalesced_cache.md, and
// nothing else from there. Where the original keeps a list of ways, this one has a counter a
// way, its age: how many ways are to be kept longer. The age 0 is kept longest, the age
// N_LINE - 1 goes next; ages are all different.
//
// With DEFECT defined it has a fault that is easily made: the insert chooses its way as if
// there were no lookup in the same cycle.

`default_nettype none

module coalesced_cache #(
  parameter integer N_LINE = 6,
  parameter integer LINE_W = 8,
  parameter integer WAY_W  = (N_LINE > 1) ? $clog2(N_LINE) : 1
) (
  input  wire              clk,
  input  wire              rst_i,
  input  wire              lookup_valid_i,
  input  wire [LINE_W-1:0] lookup_line_i,
  input  wire              lookup_write_i,
  output wire              lookup_hit_o,
  output wire [WAY_W-1:0]  lookup_way_o,
  input  wire              insert_valid_i,
  input  wire [LINE_W-1:0] insert_line_i,
  output wire [WAY_W-1:0]  insert_way_o,
  input  wire              fifo_i,
  input  wire              flush_i
);

  localparam integer LAST = N_LINE - 1;
  localparam [WAY_W-1:0] OLDEST = LAST[WAY_W-1:0];

  reg [LINE_W-1:0] line [0:LAST];
  reg [WAY_W-1:0]  age  [0:LAST];
  reg [LAST:0]     live;

  integer w;

  // Lookup: a read makes its way the youngest, a write makes it the oldest.
  reg             found;
  reg [WAY_W-1:0] place;
  (* mem2reg *)                   // wires, not a memory
  reg [WAY_W-1:0] seen [0:LAST];  // the ages after the lookup
  reg [LAST:0]    kept;           // and who is alive then

  wire hit  = found && !lookup_write_i;
  wire kill = found && lookup_write_i;

  always @* begin
    found = 1'b0;
    place = {WAY_W{1'b0}};
    for (w = 0; w <= LAST; w = w + 1)
      if (lookup_valid_i && live[w] && line[w] == lookup_line_i) begin
        found = 1'b1;
        place = w[WAY_W-1:0];
      end
  end

  always @* begin
    kept = live;
    for (w = 0; w <= LAST; w = w + 1) begin
      seen[w] = age[w];
      if (hit && !fifo_i) begin
        if (age[w] < age[place]) seen[w] = age[w] + 1'b1;
        if (w[WAY_W-1:0] == place) seen[w] = {WAY_W{1'b0}};
      end
      if (kill) begin
        if (age[w] > age[place]) seen[w] = age[w] - 1'b1;
        if (w[WAY_W-1:0] == place) seen[w] = OLDEST;
        if (w[WAY_W-1:0] == place) kept[w] = 1'b0;
      end
    end
  end

  // Insert: into the line's own way, or else into the oldest.
  reg [WAY_W-1:0] way;

  always @* begin
    way = {WAY_W{1'b0}};
    for (w = 0; w <= LAST; w = w + 1)
`ifdef DEFECT
      if (age[w] == OLDEST) way = w[WAY_W-1:0];
`else
      if (seen[w] == OLDEST) way = w[WAY_W-1:0];
`endif
    for (w = 0; w <= LAST; w = w + 1)
      if (kept[w] && line[w] == insert_line_i) way = w[WAY_W-1:0];
  end

  assign lookup_hit_o = hit;
  assign lookup_way_o = hit ? place : {WAY_W{1'b0}};
  assign insert_way_o = insert_valid_i ? way : {WAY_W{1'b0}};

  always @(posedge clk) begin
    live <= (rst_i || flush_i) ? {N_LINE{1'b0}} : kept;
    for (w = 0; w <= LAST; w = w + 1)
      age[w] <= rst_i                                ? w[WAY_W-1:0]
              : (insert_valid_i && seen[w] < seen[way]) ? seen[w] + 1'b1
              :                                           seen[w];
    if (insert_valid_i && !rst_i) begin
      line[way] <= insert_line_i;
      age[way]  <= {WAY_W{1'b0}};
      if (!flush_i) live[way] <= 1'b1;
    end
  end

endmodule

`default_nettype wire
