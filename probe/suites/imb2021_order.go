package suites

import (
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
)

// imb2021Order lists the default kernels of IMB 2021.11 in the order in which it runs them, for suites whose order
// differs from the guide's.
var imb2021Order = map[kernel.Component][]string{
	kernel.RMA: strings.Fields("Unidir_put Bidir_put Unidir_get Bidir_get Put_local Put_all_local One_put_all " +
		"All_put_all One_get_all All_get_all Exchange_put Exchange_get Accumulate Get_accumulate Fetch_and_op " +
		"Compare_and_swap Truly_passive_put"),
	kernel.IO: strings.Fields("S_Write_Indv S_IWrite_Indv S_Write_Expl S_IWrite_Expl P_Write_Indv P_IWrite_Indv " +
		"P_Write_Shared P_IWrite_Shared P_Write_Priv P_IWrite_Priv P_Write_Expl P_IWrite_Expl C_Write_Indv " +
		"C_IWrite_Indv C_Write_Shared C_IWrite_Shared C_Write_Expl C_IWrite_Expl S_Read_Indv S_IRead_Indv " +
		"S_Read_Expl S_IRead_Expl P_Read_Indv P_IRead_Indv P_Read_Shared P_IRead_Shared P_Read_Priv P_IRead_Priv " +
		"P_Read_Expl P_IRead_Expl C_Read_Indv C_IRead_Indv C_Read_Shared C_IRead_Shared C_Read_Expl C_IRead_Expl " +
		"Open_Close"),
}

// PlaceInIMB2021 returns the index of a kernel in its suite's order in IMB 2021.11. It returns -1, which sorts first,
// for kernels that IMB doesn't run by default, and for suites in the guide's order.
func PlaceInIMB2021(k *kernel.Kernel) int { return slices.Index(imb2021Order[k.Component], k.Name) }
