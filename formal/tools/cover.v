// SPDX-License-Identifier: Apache-2.0
// A cover statement as the assertion that it is never reached, for engines that know assertions only.
(* techmap_celltype = "$cover" *)
module cover_as_assert (A, EN);
    input A;
    input EN;
    \$assert _TECHMAP_REPLACE_ (.A(!A), .EN(EN));
endmodule
