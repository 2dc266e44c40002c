prelude
import Init.Quote
/-! What the `(config := ...)` of a tactic is: the names,
  the order and the defaults of the options are the tactics' own. -/
set_option linter.all false

namespace Lean.Meta

inductive TransparencyMode where
  | all | default | reducible | instances | none

inductive EtaStructMode where
  | all | notClasses | none

inductive Occurrences where
  | all
  | pos (idxs : List Nat)
  | neg (idxs : List Nat)
instance : Coe (List Nat) Occurrences := ⟨.pos⟩

inductive ApplyNewGoals where
  | nonDependentFirst | nonDependentOnly | all

structure ApplyConfig where
  newGoals := ApplyNewGoals.nonDependentFirst
  synthAssignedInstances := true
  allowSynthFailures := false
  approx := true

structure Rewrite.Config where
  transparency : TransparencyMode := .instances
  offsetCnstrs : Bool := true
  occs : Occurrences := .all
  newGoals : ApplyNewGoals := .nonDependentFirst

structure Omega.OmegaConfig where
  splitDisjunctions : Bool := true
  splitNatSub : Bool := true
  splitNatAbs : Bool := true
  splitMinMax : Bool := true

structure DSimp.Config where
  zeta : Bool := true
  beta : Bool := true
  eta : Bool := true
  etaStruct : EtaStructMode := .all
  iota : Bool := true
  proj : Bool := true
  decide : Bool := false
  autoUnfold : Bool := false
  failIfUnchanged : Bool := true
  unfoldPartialApp : Bool := false
  zetaDelta : Bool := false
  index : Bool := true
  zetaUnused : Bool := true
  zetaHave : Bool := true
  locals : Bool := false
  instances : Bool := false

namespace Simp
def defaultMaxSteps := 100000

structure Config where
  maxSteps : Nat := defaultMaxSteps
  maxDischargeDepth : Nat := 2
  contextual : Bool := false
  memoize : Bool := true
  singlePass : Bool := false
  zeta : Bool := true
  beta : Bool := true
  eta : Bool := true
  etaStruct : EtaStructMode := .all
  iota : Bool := true
  proj : Bool := true
  decide : Bool := false
  arith : Bool := false
  autoUnfold : Bool := false
  dsimp : Bool := true
  failIfUnchanged : Bool := true
  ground : Bool := false
  unfoldPartialApp : Bool := false
  zetaDelta : Bool := false
  index : Bool := true
  implicitDefEqProofs : Bool := true
  zetaUnused : Bool := true
  catchRuntime : Bool := true
  zetaHave : Bool := true
  letToHave : Bool := true
  congrConsts : Bool := true
  bitVecOfNat : Bool := true
  warnExponents : Bool := true
  suggestions : Bool := false
  maxSuggestions : Option Nat := none
  locals : Bool := false
  instances : Bool := false

structure ConfigCtx extends Config where
  contextual := true

structure NormCastConfig extends Simp.Config where
  zeta := false
  beta := false
  eta := false
  proj := false
  iota := false
end Simp

end Lean.Meta

structure Lean.Parser.Tactic.DecideConfig where
  kernel : Bool := false
  native : Bool := false
  zetaReduce : Bool := true
  revert : Bool := false
