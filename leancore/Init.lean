prelude
import Init.Config
import Init.List
import Init.Arith
import Init.Text
import Init.WF
