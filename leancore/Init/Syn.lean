prelude
import Init.Stx
/-! Parsers, macros and unexpanders, bound by name to their code in the Lean binary. Written by generate.py. -/
set_option linter.all false
declare_syntax_cat rcasesPat
declare_syntax_cat rintroPat
declare_syntax_cat binderPred
declare_syntax_cat rawStx
declare_syntax_cat conv (behavior := both)
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.allGoals : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.anyGoals : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.arg : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.Conv.argArg : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.case : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.case' : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.cbv : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.change : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.clear : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.congr : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.Conv.conv : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.convApply_ : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.convArgs : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.convConvSeq : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.convDone : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.convErw__ : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.convIntro___ : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.convLeft : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.«convNext__=>_» : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.convRepeat_ : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.convRfl : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.convRight : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.convRw__ : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.Conv.convSeq : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.Conv.convSeq1Indented : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.Conv.convSeqBracketed : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.convTactic : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.convTrace_state : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.convTry_ : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.«conv_<;>_» : Lean.TrailingParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.«conv·_» : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.delta : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.dsimp : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.dsimpTrace : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.enter : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.Conv.enterArg : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.Conv.enterPattern : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.ext : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.extractLets : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.failIfSuccess : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.first : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.focus : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.fun : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.letToHave : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.lhs : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.liftLets : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.nestedConv : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.nestedTactic : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.nestedTacticCore : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.normCast : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.Conv.occs : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.Conv.occsIndexed : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.Conv.occsWildcard : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.paren : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.pattern : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.reduce : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.rewrite : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.rhs : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.simp : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.simpMatch : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.simpTrace : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.skip : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.unfold : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.whnf : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.withAnnotateState : Lean.ParserDescr
@[extern "_", conv_parser] opaque Lean.Parser.Tactic.Conv.zeta : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.SolveByElim.arg : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.SolveByElim.args : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.SolveByElim.erase : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.SolveByElim.star : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.SolveByElim.using_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.acNf0 : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.acRfl : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.allGoals : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.anchor : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.anyGoals : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.apply : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.applyAssumption : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.applyRfl : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.applyRules : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.apply? : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.assumption : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.attemptAll : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.attemptAllPar : Lean.ParserDescr
@[extern "_", term_parser] opaque Lean.Parser.Tactic.by? : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.case : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.caseArg : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.case' : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.cases : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.change : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.classical : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.clear : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.clearValue : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.clearValueArg : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.clearValueHyp : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.clearValueStar : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.config : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.configItem : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.congr : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.constructor : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.contradiction : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.dbgTrace : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.decide : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.delta : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.discharger : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.done : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.dsimp : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.dsimpArg : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.dsimpArgs : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.dsimpAutoUnfold : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.dsimpKind : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.dsimpTrace : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.dsimpTraceArgsRest : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.elimTarget : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.eqRefl : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.exact : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.exact? : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.exposeNames : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.extractLets : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.fail : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.failIfSuccess : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.falseOrByContra : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.first : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.firstPar : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.focus : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.frameAlt : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.funCases : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.funInduction : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.generalize : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.generalizeArg : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.guardExpr : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.guardExprConv : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.guardHyp : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.guardHypConv : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.guardTarget : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.guardTargetConv : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.impossible : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.induction : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.inductionAlt : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.inductionAltLHS : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.inductionAlts : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.injection : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.injections : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.intro : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.intros : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.invariantAlts : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.invariantCaseAlt : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.invariantDotAlt : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.invariantsKW : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.left : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.letToHave : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.letrec : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.liftLets : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.location : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.locationHyp : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.locationType : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.locationWildcard : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.nativeDecide : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.negConfigItem : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.normCast0 : Lean.ParserDescr
@[extern "_", command_parser] opaque Lean.Parser.Tactic.normCastAddElim : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.obtain : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.omega : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.optConfig : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.paren : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.posConfigItem : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.pushCast : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.rcases : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.rcasesPatLo : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.rcasesPatMed : Lean.ParserDescr
@[extern "_", rcasesPat_parser] opaque Lean.Parser.Tactic.rcasesPat.clear : Lean.ParserDescr
@[extern "_", rcasesPat_parser] opaque Lean.Parser.Tactic.rcasesPat.explicit : Lean.ParserDescr
@[extern "_", rcasesPat_parser] opaque Lean.Parser.Tactic.rcasesPat.ignore : Lean.ParserDescr
@[extern "_", rcasesPat_parser] opaque Lean.Parser.Tactic.rcasesPat.one : Lean.ParserDescr
@[extern "_", rcasesPat_parser] opaque Lean.Parser.Tactic.rcasesPat.paren : Lean.ParserDescr
@[extern "_", rcasesPat_parser] opaque Lean.Parser.Tactic.rcasesPat.tuple : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.refine : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.refine' : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.rename : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.renameI : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.repeat1' : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.repeat' : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.replace : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.revert : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.rewriteSeq : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.rewrites_forbidden : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.rewrites? : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.right : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.rintro : Lean.ParserDescr
@[extern "_", rintroPat_parser] opaque Lean.Parser.Tactic.rintroPat.binder : Lean.ParserDescr
@[extern "_", rintroPat_parser] opaque Lean.Parser.Tactic.rintroPat.one : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.rotateLeft : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.rotateRight : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.runTac : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.rwRule : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.rwRuleSeq : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.rwSeq : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.rwa : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.rwaAt : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.rwaAtLegacyLocation : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.show : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.showTerm : Lean.ParserDescr
@[extern "_", term_parser] opaque Lean.Parser.Tactic.showTermElab : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.simp : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.simpAll : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.simpAllArith : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.simpAllArithBang : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.simpAllAutoUnfold : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.simpAllKind : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.simpAllTrace : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.simpAllTraceArgsRest : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.simpArg : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.simpArgs : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.simpArith : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.simpArithBang : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.simpAutoUnfold : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.simpErase : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.simpLemma : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.simpPost : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.simpPre : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.simpStar : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.simpTrace : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.simpTraceArgsRest : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.simpa : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.simpaArgsRest : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.simpaUsingBang : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.simpaUsingBangArgsRest : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.skip : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.sleep : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.solveByElim : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.specialize : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.split : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.subst : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.substEqs : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.substVars : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.suggestions : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.symm : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.symmSaturate : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacDepIfThenElse : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacIfThenElse : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticAc_nf_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticAdmit : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticAnd_intros : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticApply_mod_cast_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticAssumption_mod_cast_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticDsimp?!_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticErw___ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticExact_mod_cast_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticExfalso : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.«tacticExists_,,» : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticHaveI__ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticHave__ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticHave' : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticInfer_instance : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticIterate____ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticLetI__ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticLet__ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticLet'__ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.«tacticNext_=>_» : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticNofun : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.«tacticNomatch_,,» : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticNorm_cast__ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticRefine_lift_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticRefine_lift'_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticRepeat_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticRfl : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticRfl' : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticRw_mod_cast___ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticSimp_all?!_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticSimp?!_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticSimpa!_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticSimpa!__1 : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticSimpa?_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticSimpa?__1 : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticSimpa?!_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticSimpa?!__1 : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticSorry : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticStop_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticSuffices_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticTrivial : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tacticTry_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.«tactic_<;>_» : Lean.TrailingParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.traceMessage : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.traceState : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.tryResult : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tryTrace : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.tryTraceWith : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.unfold : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.valConfigItem : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.vcAlt : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.vcAlts : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.withAnnotateState : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Tactic.withImplicit : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.withReducible : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.withReducibleAndInstances : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.withUnfoldingAll : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.withUnfoldingNone : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.cdot : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.calcTactic : Lean.ParserDescr
@[extern "_", term_parser] opaque Lean.calc : Lean.ParserDescr
@[extern "_", term_parser] opaque Lean.termEval_prec_ : Lean.ParserDescr
@[extern "_", term_parser] opaque Lean.termEval_prio_ : Lean.ParserDescr
@[extern "_", term_parser] opaque Lean.«term∀__,_» : Lean.ParserDescr
@[extern "_", term_parser] opaque Lean.«term∃__,_» : Lean.ParserDescr
@[extern "_", term_parser] opaque Lean.«termSatisfies_binder_pred%__» : Lean.ParserDescr
@[extern "_", binderPred_parser] opaque Lean.«binderPred∈_» : Lean.ParserDescr
@[extern "_", binderPred_parser] opaque Lean.«binderPred∉_» : Lean.ParserDescr
@[extern "_", binderPred_parser] opaque Lean.«binderPred≠_» : Lean.ParserDescr
@[extern "_", binderPred_parser] opaque Lean.«binderPred≤_» : Lean.ParserDescr
@[extern "_", binderPred_parser] opaque Lean.«binderPred≥_» : Lean.ParserDescr
@[extern "_", binderPred_parser] opaque Lean.«binderPred⊂_» : Lean.ParserDescr
@[extern "_", binderPred_parser] opaque Lean.«binderPred⊃_» : Lean.ParserDescr
@[extern "_", binderPred_parser] opaque Lean.«binderPred⊆_» : Lean.ParserDescr
@[extern "_", binderPred_parser] opaque Lean.«binderPred⊇_» : Lean.ParserDescr
@[extern "_", binderPred_parser] opaque Lean.«binderPred<_» : Lean.ParserDescr
@[extern "_", binderPred_parser] opaque Lean.«binderPred>_» : Lean.ParserDescr
@[extern "_", command_parser] opaque Lean.guardMsgsCmd : Lean.ParserDescr
@[extern "_"] opaque Lean.cdotTk : Lean.ParserDescr
@[extern "_"] opaque Lean.calcStep : Lean.ParserDescr
@[extern "_"] opaque Lean.calcFirstStep : Lean.ParserDescr
@[extern "_"] opaque Lean.calcSteps : Lean.ParserDescr
@[extern "_"] opaque Lean.binderIdent : Lean.ParserDescr
@[extern "_"] opaque Lean.unbracketedExplicitBinders : Lean.ParserDescr
@[extern "_"] opaque Lean.bracketedExplicitBinders : Lean.ParserDescr
@[extern "_"] opaque Lean.explicitBinders : Lean.ParserDescr
@[extern "_"] opaque Lean.guardMsgsFilterSeverity : Lean.ParserDescr
@[extern "_"] opaque Lean.guardMsgsFilterAction : Lean.ParserDescr
@[extern "_"] opaque Lean.guardMsgsFilter : Lean.ParserDescr
@[extern "_"] opaque Lean.guardMsgsWhitespaceArg : Lean.ParserDescr
@[extern "_"] opaque Lean.guardMsgsWhitespace : Lean.ParserDescr
@[extern "_"] opaque Lean.guardMsgsOrderingArg : Lean.ParserDescr
@[extern "_"] opaque Lean.guardMsgsOrdering : Lean.ParserDescr
@[extern "_"] opaque Lean.guardMsgsPositionsArg : Lean.ParserDescr
@[extern "_"] opaque Lean.guardMsgsPositions : Lean.ParserDescr
@[extern "_"] opaque Lean.guardMsgsSubstring : Lean.ParserDescr
@[extern "_"] opaque Lean.guardMsgsSpecElt : Lean.ParserDescr
@[extern "_"] opaque Lean.guardMsgsSpec : Lean.ParserDescr
@[extern "_", tactic_parser] opaque «tacticBy_cases_:_» : Lean.ParserDescr
@[extern "_", tactic_parser] opaque tacticFunext___ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque tacticDecreasing_tactic : Lean.ParserDescr
@[extern "_", tactic_parser] opaque tacticDecreasing_trivial : Lean.ParserDescr
@[extern "_", tactic_parser] opaque tacticDecreasing_with_ : Lean.ParserDescr
@[extern "_", tactic_parser] opaque tacticSimp_wf : Lean.ParserDescr
@[extern "_", tactic_parser] opaque tacticClean_wf : Lean.ParserDescr
@[extern "_", tactic_parser] opaque tacticDecreasing_trivial_pre_omega : Lean.ParserDescr
@[extern "_", tactic_parser] opaque tacticGet_elem_tactic : Lean.ParserDescr
@[extern "_", tactic_parser] opaque tacticGet_elem_tactic_extensible : Lean.ParserDescr
@[extern "_", tactic_parser] opaque tacticGet_elem_tactic_trivial : Lean.ParserDescr
@[extern "_", term_parser] opaque rawNatLit : Lean.ParserDescr
@[extern "_", term_parser] opaque coeNotation : Lean.ParserDescr
@[extern "_", term_parser] opaque coeFunNotation : Lean.ParserDescr
@[extern "_", term_parser] opaque coeSortNotation : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Elab.Tactic.Ext.ext : Lean.ParserDescr
@[extern "_", tactic_parser] opaque Lean.Elab.Tactic.Ext.applyExtTheorem : Lean.ParserDescr
@[extern "_", prec_parser] opaque Lean.Parser.Syntax.addPrec : Lean.TrailingParserDescr
@[extern "_", prec_parser] opaque Lean.Parser.Syntax.subPrec : Lean.TrailingParserDescr
@[extern "_", prio_parser] opaque Lean.Parser.Syntax.addPrio : Lean.TrailingParserDescr
@[extern "_", prio_parser] opaque Lean.Parser.Syntax.subPrio : Lean.TrailingParserDescr
@[extern "_", attr_parser] opaque Lean.Parser.Attr.simp : Lean.ParserDescr
@[extern "_", attr_parser] opaque Lean.Parser.Attr.ext : Lean.ParserDescr
@[extern "_", attr_parser] opaque Lean.Parser.Attr.wf_preprocess : Lean.ParserDescr
@[extern "_", attr_parser] opaque Lean.Parser.Attr.norm_cast : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Attr.extIff : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Attr.extFlat : Lean.ParserDescr
@[extern "_"] opaque Lean.Parser.Attr.normCastLabel : Lean.ParserDescr
namespace List
@[extern "_", scoped term_parser] opaque «term_~_» : Lean.TrailingParserDescr
end List
namespace List
@[extern "_", scoped term_parser] opaque «term_<+_» : Lean.TrailingParserDescr
end List
namespace List
@[extern "_", scoped term_parser] opaque «term_<+:_» : Lean.TrailingParserDescr
end List
namespace List
@[extern "_", scoped term_parser] opaque «term_<:+_» : Lean.TrailingParserDescr
end List
@[extern "_", prec_parser] opaque precArg : Lean.ParserDescr
@[extern "_", prec_parser] opaque precLead : Lean.ParserDescr
@[extern "_", prec_parser] opaque precMax : Lean.ParserDescr
@[extern "_", prec_parser] opaque precMin : Lean.ParserDescr
@[extern "_", prec_parser] opaque precMin1 : Lean.ParserDescr
@[extern "_", prec_parser] opaque «prec(_)» : Lean.ParserDescr
@[extern "_", prio_parser] opaque prioDefault : Lean.ParserDescr
@[extern "_", prio_parser] opaque prioHigh : Lean.ParserDescr
@[extern "_", prio_parser] opaque prioLow : Lean.ParserDescr
@[extern "_", prio_parser] opaque prioMid : Lean.ParserDescr
@[extern "_", prio_parser] opaque «prio(_)» : Lean.ParserDescr
@[extern "_", stx_parser] opaque «stx_*» : Lean.TrailingParserDescr
@[extern "_", stx_parser] opaque «stx_+» : Lean.TrailingParserDescr
@[extern "_", stx_parser] opaque «stx_,*» : Lean.TrailingParserDescr
@[extern "_", stx_parser] opaque «stx_,*,?» : Lean.TrailingParserDescr
@[extern "_", stx_parser] opaque «stx_,+» : Lean.TrailingParserDescr
@[extern "_", stx_parser] opaque «stx_,+,?» : Lean.TrailingParserDescr
@[extern "_", stx_parser] opaque «stx_<|>_» : Lean.TrailingParserDescr
@[extern "_", stx_parser] opaque stx_? : Lean.TrailingParserDescr
@[extern "_", stx_parser] opaque stx!_ : Lean.ParserDescr
@[extern "_", term_parser] opaque termDepIfThenElse : Lean.ParserDescr
@[extern "_", term_parser] opaque «termExists_,_» : Lean.ParserDescr
@[extern "_", term_parser] opaque termIfLet : Lean.ParserDescr
@[extern "_", term_parser] opaque termIfThenElse : Lean.ParserDescr
@[extern "_", term_parser] opaque termMax_prec : Lean.ParserDescr
@[extern "_", term_parser] opaque termS!_ : Lean.ParserDescr
@[extern "_", term_parser] opaque termWithout_expected_type_ : Lean.ParserDescr
@[extern "_", term_parser] opaque «term__[_]» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term__[_]_!» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term__[_]_?» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term__[_]'_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_•_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_⁻¹» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_↔_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_∈_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_∉_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_∘_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_∣_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_∧_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_∨_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_∩_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_∪_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_≈_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_≍_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_≠_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_≤_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_≥_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_⊂_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_⊃_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_⊆_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_⊇_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_⊕_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_⊕'_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_!=_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_$__» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_%_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_&&_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_&&&_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_*_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_*>_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_+_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_++_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_-_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_/_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_::_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_<_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_<$>_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_<&&>_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_<&>_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_<*_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_<*>_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_<->_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_<<<_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_<=_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_<=<_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_<|_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_<|>_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_<||>_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_=_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_=<<_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_==_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_>_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_>=_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_>=>_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_>>_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_>>=_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_>>>_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_\_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_^_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_^^^_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_|>_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_||_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_|||_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_×_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_×__1» : Lean.ParserDescr
@[extern "_", term_parser] opaque «term_×'_» : Lean.TrailingParserDescr
@[extern "_", term_parser] opaque «term_×'__1» : Lean.ParserDescr
@[extern "_", term_parser] opaque «termΣ_,_» : Lean.ParserDescr
@[extern "_", term_parser] opaque «termΣ'_,_» : Lean.ParserDescr
@[extern "_", term_parser] opaque «term‹_›» : Lean.ParserDescr
@[extern "_", term_parser] opaque «term∃_,_» : Lean.ParserDescr
@[extern "_", term_parser] opaque «term∅» : Lean.ParserDescr
@[extern "_", term_parser] opaque «term∎» : Lean.ParserDescr
@[extern "_", term_parser] opaque term!_ : Lean.ParserDescr
@[extern "_", term_parser] opaque «term#[_,]» : Lean.ParserDescr
@[extern "_", term_parser] opaque «term%[_|_]» : Lean.ParserDescr
@[extern "_", term_parser] opaque «term-_» : Lean.ParserDescr
@[extern "_", term_parser] opaque «term[_]» : Lean.ParserDescr
@[extern "_", term_parser] opaque «term{_:_//_}» : Lean.ParserDescr
@[extern "_", term_parser] opaque «term{_}» : Lean.ParserDescr
@[extern "_", term_parser] opaque «term{}» : Lean.ParserDescr
@[extern "_", term_parser] opaque «term~~~_» : Lean.ParserDescr
@[extern "_", term_parser] opaque «term¬_» : Lean.ParserDescr
@[extern "_", macro tacticGet_elem_tactic_extensible] opaque Fin._aux_Init_GetElem___macroRules_tacticGet_elem_tactic_extensible_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.allGoals] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_allGoals_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.anyGoals] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_anyGoals_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.case] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_case_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.case'] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_case'_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.convApply_] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convApply__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.convArgs] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convArgs_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.convDone] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convDone_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.convErw__] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convErw___1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.convIntro___] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convIntro____1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.convLeft] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convLeft_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.«convNext__=>_»] opaque Lean.Parser.Tactic.Conv.«_aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convNext__=>__1» : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.convRepeat_] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convRepeat__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.convRfl] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convRfl_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.convRight] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convRight_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.convRw__] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convRw___1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.convTrace_state] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convTrace_state_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.convTry_] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convTry__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.«conv_<;>_»] opaque Lean.Parser.Tactic.Conv.«_aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_conv_<;>__1» : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.«conv·_»] opaque Lean.Parser.Tactic.Conv.«_aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_conv·__1» : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.failIfSuccess] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_failIfSuccess_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.Conv.focus] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_focus_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticErw___] opaque Lean.Parser.Tactic._aux_Init_Meta___macroRules_Lean_Parser_Tactic_tacticErw____1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacDepIfThenElse] opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacDepIfThenElse_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacIfThenElse] opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacIfThenElse_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticApply_mod_cast_] opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacticApply_mod_cast__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticExact_mod_cast_] opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacticExact_mod_cast__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticIterate____] opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacticIterate_____1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticRw_mod_cast___] opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacticRw_mod_cast____1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.by?] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_by?_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.letrec] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_letrec_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.rwSeq] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_rwSeq_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.rwaAtLegacyLocation] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_rwaAtLegacyLocation_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.showTermElab] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_showTermElab_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticAc_nf_] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticAc_nf__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticAdmit] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticAdmit_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticAnd_intros] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticAnd_intros_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticAssumption_mod_cast_] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticAssumption_mod_cast__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticDsimp?!_] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticDsimp?!__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticExfalso] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticExfalso_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.«tacticExists_,,»] opaque Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticExists_,,_1» : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticHaveI__] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHaveI___1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticHave__] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHave___1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticHave'] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHave'_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticInfer_instance] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticInfer_instance_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticLetI__] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticLetI___1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticLet__] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticLet___1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticLet'__] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticLet'___1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.«tacticNext_=>_»] opaque Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNext_=>__1» : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticNofun] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNofun_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.«tacticNomatch_,,»] opaque Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNomatch_,,_1» : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticNorm_cast__] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNorm_cast___1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticRefine_lift_] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRefine_lift__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticRefine_lift'_] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRefine_lift'__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticRfl] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticRfl] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_2 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticRfl] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_3 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticRfl'] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl'_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticSimp_all?!_] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimp_all?!__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticSimp?!_] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimp?!__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticSimpa!_] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimpa!__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticSimpa!__1] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimpa!__1_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticSimpa?_] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimpa?__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticSimpa?__1] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimpa?__1_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticSimpa?!_] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimpa?!__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticSimpa?!__1] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimpa?!__1_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticSorry] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSorry_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticStop_] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticStop__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticSuffices_] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSuffices__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticTrivial] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticTrivial] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_2 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticTrivial] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_3 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticTrivial] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_4 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticTrivial] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_5 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticTrivial] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_6 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticTry_] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTry__1 : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.«tactic_<;>_»] opaque Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tactic_<;>__1» : Lean.Macro
@[extern "_", macro Lean.«termSatisfies_binder_pred%__»] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___1» : Lean.Macro
@[extern "_", macro Lean.«termSatisfies_binder_pred%__»] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___10» : Lean.Macro
@[extern "_", macro Lean.«termSatisfies_binder_pred%__»] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___11» : Lean.Macro
@[extern "_", macro Lean.«termSatisfies_binder_pred%__»] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___2» : Lean.Macro
@[extern "_", macro Lean.«termSatisfies_binder_pred%__»] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___3» : Lean.Macro
@[extern "_", macro Lean.«termSatisfies_binder_pred%__»] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___4» : Lean.Macro
@[extern "_", macro Lean.«termSatisfies_binder_pred%__»] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___5» : Lean.Macro
@[extern "_", macro Lean.«termSatisfies_binder_pred%__»] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___6» : Lean.Macro
@[extern "_", macro Lean.«termSatisfies_binder_pred%__»] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___7» : Lean.Macro
@[extern "_", macro Lean.«termSatisfies_binder_pred%__»] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___8» : Lean.Macro
@[extern "_", macro Lean.«termSatisfies_binder_pred%__»] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___9» : Lean.Macro
@[extern "_", macro Lean.«term∀__,_»] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_term∀__,__1» : Lean.Macro
@[extern "_", macro Lean.«term∃__,_»] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_term∃__,__1» : Lean.Macro
@[extern "_", macro «term[_]»] opaque Lean.«_aux_Init_Data_List_Notation___macroRules_term[_]_1» : Lean.Macro
@[extern "_", macro Lean.Parser.Syntax.addPrec] opaque Lean._aux_Init_Meta___macroRules_Lean_Parser_Syntax_addPrec_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Syntax.addPrio] opaque Lean._aux_Init_Meta___macroRules_Lean_Parser_Syntax_addPrio_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Syntax.subPrec] opaque Lean._aux_Init_Meta___macroRules_Lean_Parser_Syntax_subPrec_1 : Lean.Macro
@[extern "_", macro Lean.Parser.Syntax.subPrio] opaque Lean._aux_Init_Meta___macroRules_Lean_Parser_Syntax_subPrio_1 : Lean.Macro
@[extern "_", macro Lean.termEval_prec_] opaque Lean._aux_Init_Meta___macroRules_Lean_termEval_prec__1 : Lean.Macro
@[extern "_", macro Lean.termEval_prio_] opaque Lean._aux_Init_Meta___macroRules_Lean_termEval_prio__1 : Lean.Macro
@[extern "_", macro List.«term_<+_»] opaque List.«_aux_Init_Data_List_Basic___macroRules_List_term_<+__1» : Lean.Macro
@[extern "_", macro List.«term_<+:_»] opaque List.«_aux_Init_Data_List_Basic___macroRules_List_term_<+:__1» : Lean.Macro
@[extern "_", macro List.«term_<:+_»] opaque List.«_aux_Init_Data_List_Basic___macroRules_List_term_<:+__1» : Lean.Macro
@[extern "_", macro List.«term_~_»] opaque List.«_aux_Init_Data_List_Basic___macroRules_List_term_~__1» : Lean.Macro
@[extern "_", macro «tacticBy_cases_:_»] opaque «_aux_Init_ByCases___macroRules_tacticBy_cases_:__1» : Lean.Macro
@[extern "_", macro «tacticBy_cases_:_»] opaque «_aux_Init_ByCases___macroRules_tacticBy_cases_:__2» : Lean.Macro
@[extern "_", macro Lean.Parser.Tactic.tacticRfl] opaque _aux_Init_Core___macroRules_Lean_Parser_Tactic_tacticRfl_1 : Lean.Macro
@[extern "_", macro «term_↔_»] opaque «_aux_Init_Core___macroRules_term_↔__1» : Lean.Macro
@[extern "_", macro «term_∩_»] opaque «_aux_Init_Core___macroRules_term_∩__1» : Lean.Macro
@[extern "_", macro «term_∪_»] opaque «_aux_Init_Core___macroRules_term_∪__1» : Lean.Macro
@[extern "_", macro «term_≈_»] opaque «_aux_Init_Core___macroRules_term_≈__1» : Lean.Macro
@[extern "_", macro «term_≠_»] opaque «_aux_Init_Core___macroRules_term_≠__1» : Lean.Macro
@[extern "_", macro «term_≠_»] opaque «_aux_Init_Core___macroRules_term_≠__2» : Lean.Macro
@[extern "_", macro «term_⊂_»] opaque «_aux_Init_Core___macroRules_term_⊂__1» : Lean.Macro
@[extern "_", macro «term_⊃_»] opaque «_aux_Init_Core___macroRules_term_⊃__1» : Lean.Macro
@[extern "_", macro «term_⊆_»] opaque «_aux_Init_Core___macroRules_term_⊆__1» : Lean.Macro
@[extern "_", macro «term_⊇_»] opaque «_aux_Init_Core___macroRules_term_⊇__1» : Lean.Macro
@[extern "_", macro «term_⊕_»] opaque «_aux_Init_Core___macroRules_term_⊕__1» : Lean.Macro
@[extern "_", macro «term_⊕'_»] opaque «_aux_Init_Core___macroRules_term_⊕'__1» : Lean.Macro
@[extern "_", macro «term_!=_»] opaque «_aux_Init_Core___macroRules_term_!=__1» : Lean.Macro
@[extern "_", macro «term_!=_»] opaque «_aux_Init_Core___macroRules_term_!=__2» : Lean.Macro
@[extern "_", macro «term_<->_»] opaque «_aux_Init_Core___macroRules_term_<->__1» : Lean.Macro
@[extern "_", macro «term_\_»] opaque «_aux_Init_Core___macroRules_term_\__1» : Lean.Macro
@[extern "_", macro «term∅»] opaque «_aux_Init_Core___macroRules_term∅_1» : Lean.Macro
@[extern "_", macro «term{}»] opaque «_aux_Init_Core___macroRules_term{}_1» : Lean.Macro
@[extern "_", macro termS!_] opaque _aux_Init_Data_ToString_Macro___macroRules_termS!__1 : Lean.Macro
@[extern "_", macro «term__[_]»] opaque «_aux_Init_GetElem___macroRules_term__[_]_1» : Lean.Macro
@[extern "_", macro «term__[_]_!»] opaque «_aux_Init_GetElem___macroRules_term__[_]_!_1» : Lean.Macro
@[extern "_", macro «term__[_]_?»] opaque «_aux_Init_GetElem___macroRules_term__[_]_?_1» : Lean.Macro
@[extern "_", macro «term__[_]'_»] opaque «_aux_Init_GetElem___macroRules_term__[_]'__1» : Lean.Macro
@[extern "_", macro tacticFunext___] opaque _aux_Init_NotationExtra___macroRules_tacticFunext____1 : Lean.Macro
@[extern "_", macro «termExists_,_»] opaque «_aux_Init_NotationExtra___macroRules_termExists_,__1» : Lean.Macro
@[extern "_", macro «term_×__1»] opaque «_aux_Init_NotationExtra___macroRules_term_×__1_1» : Lean.Macro
@[extern "_", macro «term_×'__1»] opaque «_aux_Init_NotationExtra___macroRules_term_×'__1_1» : Lean.Macro
@[extern "_", macro «termΣ_,_»] opaque «_aux_Init_NotationExtra___macroRules_termΣ_,__1» : Lean.Macro
@[extern "_", macro «termΣ'_,_»] opaque «_aux_Init_NotationExtra___macroRules_termΣ'_,__1» : Lean.Macro
@[extern "_", macro «term∃_,_»] opaque «_aux_Init_NotationExtra___macroRules_term∃_,__1» : Lean.Macro
@[extern "_", macro «term%[_|_]»] opaque «_aux_Init_NotationExtra___macroRules_term%[_|_]_1» : Lean.Macro
@[extern "_", macro «term{_}»] opaque «_aux_Init_NotationExtra___macroRules_term{_}_1» : Lean.Macro
@[extern "_", macro precArg] opaque _aux_Init_Notation___macroRules_precArg_1 : Lean.Macro
@[extern "_", macro precLead] opaque _aux_Init_Notation___macroRules_precLead_1 : Lean.Macro
@[extern "_", macro precMax] opaque _aux_Init_Notation___macroRules_precMax_1 : Lean.Macro
@[extern "_", macro precMin1] opaque _aux_Init_Notation___macroRules_precMin1_1 : Lean.Macro
@[extern "_", macro precMin] opaque _aux_Init_Notation___macroRules_precMin_1 : Lean.Macro
@[extern "_", macro «prec(_)»] opaque «_aux_Init_Notation___macroRules_prec(_)_1» : Lean.Macro
@[extern "_", macro prioDefault] opaque _aux_Init_Notation___macroRules_prioDefault_1 : Lean.Macro
@[extern "_", macro prioHigh] opaque _aux_Init_Notation___macroRules_prioHigh_1 : Lean.Macro
@[extern "_", macro prioLow] opaque _aux_Init_Notation___macroRules_prioLow_1 : Lean.Macro
@[extern "_", macro prioMid] opaque _aux_Init_Notation___macroRules_prioMid_1 : Lean.Macro
@[extern "_", macro «prio(_)»] opaque «_aux_Init_Notation___macroRules_prio(_)_1» : Lean.Macro
@[extern "_", macro «stx_*»] opaque «_aux_Init_Notation___macroRules_stx_*_1» : Lean.Macro
@[extern "_", macro «stx_+»] opaque «_aux_Init_Notation___macroRules_stx_+_1» : Lean.Macro
@[extern "_", macro «stx_,*»] opaque «_aux_Init_Notation___macroRules_stx_,*_1» : Lean.Macro
@[extern "_", macro «stx_,*,?»] opaque «_aux_Init_Notation___macroRules_stx_,*,?_1» : Lean.Macro
@[extern "_", macro «stx_,+»] opaque «_aux_Init_Notation___macroRules_stx_,+_1» : Lean.Macro
@[extern "_", macro «stx_,+,?»] opaque «_aux_Init_Notation___macroRules_stx_,+,?_1» : Lean.Macro
@[extern "_", macro «stx_<|>_»] opaque «_aux_Init_Notation___macroRules_stx_<|>__1» : Lean.Macro
@[extern "_", macro stx_?] opaque _aux_Init_Notation___macroRules_stx_?_1 : Lean.Macro
@[extern "_", macro stx!_] opaque _aux_Init_Notation___macroRules_stx!__1 : Lean.Macro
@[extern "_", macro termDepIfThenElse] opaque _aux_Init_Notation___macroRules_termDepIfThenElse_1 : Lean.Macro
@[extern "_", macro termIfLet] opaque _aux_Init_Notation___macroRules_termIfLet_1 : Lean.Macro
@[extern "_", macro termIfThenElse] opaque _aux_Init_Notation___macroRules_termIfThenElse_1 : Lean.Macro
@[extern "_", macro termMax_prec] opaque _aux_Init_Notation___macroRules_termMax_prec_1 : Lean.Macro
@[extern "_", macro termWithout_expected_type_] opaque _aux_Init_Notation___macroRules_termWithout_expected_type__1 : Lean.Macro
@[extern "_", macro «term_•_»] opaque «_aux_Init_Notation___macroRules_term_•__1» : Lean.Macro
@[extern "_", macro «term_•_»] opaque «_aux_Init_Notation___macroRules_term_•__2» : Lean.Macro
@[extern "_", macro «term_⁻¹»] opaque «_aux_Init_Notation___macroRules_term_⁻¹_1» : Lean.Macro
@[extern "_", macro «term_∈_»] opaque «_aux_Init_Notation___macroRules_term_∈__1» : Lean.Macro
@[extern "_", macro «term_∉_»] opaque «_aux_Init_Notation___macroRules_term_∉__1» : Lean.Macro
@[extern "_", macro «term_∘_»] opaque «_aux_Init_Notation___macroRules_term_∘__1» : Lean.Macro
@[extern "_", macro «term_∣_»] opaque «_aux_Init_Notation___macroRules_term_∣__1» : Lean.Macro
@[extern "_", macro «term_∧_»] opaque «_aux_Init_Notation___macroRules_term_∧__1» : Lean.Macro
@[extern "_", macro «term_∨_»] opaque «_aux_Init_Notation___macroRules_term_∨__1» : Lean.Macro
@[extern "_", macro «term_≍_»] opaque «_aux_Init_Notation___macroRules_term_≍__1» : Lean.Macro
@[extern "_", macro «term_≤_»] opaque «_aux_Init_Notation___macroRules_term_≤__1» : Lean.Macro
@[extern "_", macro «term_≤_»] opaque «_aux_Init_Notation___macroRules_term_≤__2» : Lean.Macro
@[extern "_", macro «term_≥_»] opaque «_aux_Init_Notation___macroRules_term_≥__1» : Lean.Macro
@[extern "_", macro «term_≥_»] opaque «_aux_Init_Notation___macroRules_term_≥__2» : Lean.Macro
@[extern "_", macro «term_$__»] opaque «_aux_Init_Notation___macroRules_term_$___1» : Lean.Macro
@[extern "_", macro «term_%_»] opaque «_aux_Init_Notation___macroRules_term_%__1» : Lean.Macro
@[extern "_", macro «term_%_»] opaque «_aux_Init_Notation___macroRules_term_%__2» : Lean.Macro
@[extern "_", macro «term_&&_»] opaque «_aux_Init_Notation___macroRules_term_&&__1» : Lean.Macro
@[extern "_", macro «term_&&&_»] opaque «_aux_Init_Notation___macroRules_term_&&&__1» : Lean.Macro
@[extern "_", macro «term_&&&_»] opaque «_aux_Init_Notation___macroRules_term_&&&__2» : Lean.Macro
@[extern "_", macro «term_*_»] opaque «_aux_Init_Notation___macroRules_term_*__1» : Lean.Macro
@[extern "_", macro «term_*_»] opaque «_aux_Init_Notation___macroRules_term_*__2» : Lean.Macro
@[extern "_", macro «term_*>_»] opaque «_aux_Init_Notation___macroRules_term_*>__1» : Lean.Macro
@[extern "_", macro «term_+_»] opaque «_aux_Init_Notation___macroRules_term_+__1» : Lean.Macro
@[extern "_", macro «term_+_»] opaque «_aux_Init_Notation___macroRules_term_+__2» : Lean.Macro
@[extern "_", macro «term_++_»] opaque «_aux_Init_Notation___macroRules_term_++__1» : Lean.Macro
@[extern "_", macro «term_++_»] opaque «_aux_Init_Notation___macroRules_term_++__2» : Lean.Macro
@[extern "_", macro «term_-_»] opaque «_aux_Init_Notation___macroRules_term_-__1» : Lean.Macro
@[extern "_", macro «term_-_»] opaque «_aux_Init_Notation___macroRules_term_-__2» : Lean.Macro
@[extern "_", macro «term_/_»] opaque «_aux_Init_Notation___macroRules_term_/__1» : Lean.Macro
@[extern "_", macro «term_/_»] opaque «_aux_Init_Notation___macroRules_term_/__2» : Lean.Macro
@[extern "_", macro «term_::_»] opaque «_aux_Init_Notation___macroRules_term_::__1» : Lean.Macro
@[extern "_", macro «term_<_»] opaque «_aux_Init_Notation___macroRules_term_<__1» : Lean.Macro
@[extern "_", macro «term_<_»] opaque «_aux_Init_Notation___macroRules_term_<__2» : Lean.Macro
@[extern "_", macro «term_<$>_»] opaque «_aux_Init_Notation___macroRules_term_<$>__1» : Lean.Macro
@[extern "_", macro «term_<*_»] opaque «_aux_Init_Notation___macroRules_term_<*__1» : Lean.Macro
@[extern "_", macro «term_<*>_»] opaque «_aux_Init_Notation___macroRules_term_<*>__1» : Lean.Macro
@[extern "_", macro «term_<<<_»] opaque «_aux_Init_Notation___macroRules_term_<<<__1» : Lean.Macro
@[extern "_", macro «term_<=_»] opaque «_aux_Init_Notation___macroRules_term_<=__1» : Lean.Macro
@[extern "_", macro «term_<=_»] opaque «_aux_Init_Notation___macroRules_term_<=__2» : Lean.Macro
@[extern "_", macro «term_<|_»] opaque «_aux_Init_Notation___macroRules_term_<|__1» : Lean.Macro
@[extern "_", macro «term_<|>_»] opaque «_aux_Init_Notation___macroRules_term_<|>__1» : Lean.Macro
@[extern "_", macro «term_=_»] opaque «_aux_Init_Notation___macroRules_term_=__1» : Lean.Macro
@[extern "_", macro «term_=_»] opaque «_aux_Init_Notation___macroRules_term_=__2» : Lean.Macro
@[extern "_", macro «term_==_»] opaque «_aux_Init_Notation___macroRules_term_==__1» : Lean.Macro
@[extern "_", macro «term_==_»] opaque «_aux_Init_Notation___macroRules_term_==__2» : Lean.Macro
@[extern "_", macro «term_>_»] opaque «_aux_Init_Notation___macroRules_term_>__1» : Lean.Macro
@[extern "_", macro «term_>_»] opaque «_aux_Init_Notation___macroRules_term_>__2» : Lean.Macro
@[extern "_", macro «term_>=_»] opaque «_aux_Init_Notation___macroRules_term_>=__1» : Lean.Macro
@[extern "_", macro «term_>=_»] opaque «_aux_Init_Notation___macroRules_term_>=__2» : Lean.Macro
@[extern "_", macro «term_>>_»] opaque «_aux_Init_Notation___macroRules_term_>>__1» : Lean.Macro
@[extern "_", macro «term_>>=_»] opaque «_aux_Init_Notation___macroRules_term_>>=__1» : Lean.Macro
@[extern "_", macro «term_>>>_»] opaque «_aux_Init_Notation___macroRules_term_>>>__1» : Lean.Macro
@[extern "_", macro «term_^_»] opaque «_aux_Init_Notation___macroRules_term_^__1» : Lean.Macro
@[extern "_", macro «term_^_»] opaque «_aux_Init_Notation___macroRules_term_^__2» : Lean.Macro
@[extern "_", macro «term_^^^_»] opaque «_aux_Init_Notation___macroRules_term_^^^__1» : Lean.Macro
@[extern "_", macro «term_^^^_»] opaque «_aux_Init_Notation___macroRules_term_^^^__2» : Lean.Macro
@[extern "_", macro «term_|>_»] opaque «_aux_Init_Notation___macroRules_term_|>__1» : Lean.Macro
@[extern "_", macro «term_||_»] opaque «_aux_Init_Notation___macroRules_term_||__1» : Lean.Macro
@[extern "_", macro «term_|||_»] opaque «_aux_Init_Notation___macroRules_term_|||__1» : Lean.Macro
@[extern "_", macro «term_|||_»] opaque «_aux_Init_Notation___macroRules_term_|||__2» : Lean.Macro
@[extern "_", macro «term_×_»] opaque «_aux_Init_Notation___macroRules_term_×__1» : Lean.Macro
@[extern "_", macro «term_×'_»] opaque «_aux_Init_Notation___macroRules_term_×'__1» : Lean.Macro
@[extern "_", macro term!_] opaque _aux_Init_Notation___macroRules_term!__1 : Lean.Macro
@[extern "_", macro «term-_»] opaque «_aux_Init_Notation___macroRules_term-__1» : Lean.Macro
@[extern "_", macro «term-_»] opaque «_aux_Init_Notation___macroRules_term-__2» : Lean.Macro
@[extern "_", macro «term{_:_//_}»] opaque «_aux_Init_Notation___macroRules_term{_:_//_}_1» : Lean.Macro
@[extern "_", macro «term~~~_»] opaque «_aux_Init_Notation___macroRules_term~~~__1» : Lean.Macro
@[extern "_", macro «term¬_»] opaque «_aux_Init_Notation___macroRules_term¬__1» : Lean.Macro
@[extern "_", macro tacticGet_elem_tactic] opaque _aux_Init_Tactics___macroRules_tacticGet_elem_tactic_1 : Lean.Macro
@[extern "_", macro tacticGet_elem_tactic_extensible] opaque _aux_Init_Tactics___macroRules_tacticGet_elem_tactic_extensible_1 : Lean.Macro
@[extern "_", macro tacticGet_elem_tactic_extensible] opaque _aux_Init_Tactics___macroRules_tacticGet_elem_tactic_extensible_2 : Lean.Macro
@[extern "_", macro tacticGet_elem_tactic_extensible] opaque _aux_Init_Tactics___macroRules_tacticGet_elem_tactic_extensible_3 : Lean.Macro
@[extern "_", macro «term‹_›»] opaque «_aux_Init_Tactics___macroRules_term‹_›_1» : Lean.Macro
@[extern "_", macro «term∎»] opaque «_aux_Init_Try___macroRules_term∎_1» : Lean.Macro
@[extern "_", macro tacticClean_wf] opaque _aux_Init_WFTactics___macroRules_tacticClean_wf_1 : Lean.Macro
@[extern "_", macro tacticDecreasing_tactic] opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_tactic_1 : Lean.Macro
@[extern "_", macro tacticDecreasing_trivial] opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_1 : Lean.Macro
@[extern "_", macro tacticDecreasing_trivial] opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_2 : Lean.Macro
@[extern "_", macro tacticDecreasing_trivial] opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_3 : Lean.Macro
@[extern "_", macro tacticDecreasing_trivial_pre_omega] opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_pre_omega_1 : Lean.Macro
@[extern "_", macro tacticDecreasing_trivial_pre_omega] opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_pre_omega_2 : Lean.Macro
@[extern "_", macro tacticDecreasing_trivial_pre_omega] opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_pre_omega_3 : Lean.Macro
@[extern "_", macro tacticDecreasing_with_] opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_with__1 : Lean.Macro
@[extern "_", macro tacticSimp_wf] opaque _aux_Init_WFTactics___macroRules_tacticSimp_wf_1 : Lean.Macro
@[extern "_", app_unexpander Iff] opaque _aux_Init_Core___unexpand_Iff_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Iff] opaque _aux_Init_Core___unexpand_Iff_2 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Ne] opaque _aux_Init_Core___unexpand_Ne_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Sum] opaque _aux_Init_Core___unexpand_Sum_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander And] opaque _aux_Init_Notation___unexpand_And_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander BEq.beq] opaque _aux_Init_Notation___unexpand_BEq_beq_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Bool.and] opaque _aux_Init_Notation___unexpand_Bool_and_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Bool.not] opaque _aux_Init_Notation___unexpand_Bool_not_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Bool.or] opaque _aux_Init_Notation___unexpand_Bool_or_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Dvd.dvd] opaque _aux_Init_Notation___unexpand_Dvd_dvd_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Eq] opaque _aux_Init_Notation___unexpand_Eq_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Function.comp] opaque _aux_Init_Notation___unexpand_Function_comp_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander GE.ge] opaque _aux_Init_Notation___unexpand_GE_ge_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander GE.ge] opaque _aux_Init_Notation___unexpand_GE_ge_2 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander GT.gt] opaque _aux_Init_Notation___unexpand_GT_gt_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander HAdd.hAdd] opaque _aux_Init_Notation___unexpand_HAdd_hAdd_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander HAppend.hAppend] opaque _aux_Init_Notation___unexpand_HAppend_hAppend_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander HDiv.hDiv] opaque _aux_Init_Notation___unexpand_HDiv_hDiv_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander HEq] opaque _aux_Init_Notation___unexpand_HEq_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander HMod.hMod] opaque _aux_Init_Notation___unexpand_HMod_hMod_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander HMul.hMul] opaque _aux_Init_Notation___unexpand_HMul_hMul_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander HPow.hPow] opaque _aux_Init_Notation___unexpand_HPow_hPow_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander HSub.hSub] opaque _aux_Init_Notation___unexpand_HSub_hSub_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander LE.le] opaque _aux_Init_Notation___unexpand_LE_le_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander LE.le] opaque _aux_Init_Notation___unexpand_LE_le_2 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander LT.lt] opaque _aux_Init_Notation___unexpand_LT_lt_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander List.cons] opaque _aux_Init_Notation___unexpand_List_cons_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Membership.mem] opaque _aux_Init_Notation___unexpand_Membership_mem_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Neg.neg] opaque _aux_Init_Notation___unexpand_Neg_neg_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Not] opaque _aux_Init_Notation___unexpand_Not_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Or] opaque _aux_Init_Notation___unexpand_Or_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander PProd] opaque _aux_Init_Notation___unexpand_PProd_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Prod] opaque _aux_Init_Notation___unexpand_Prod_1 : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Exists] opaque unexpandExists : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander ite] opaque unexpandIte : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Eq.ndrec] opaque unexpandEqNDRec : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Eq.rec] opaque unexpandEqRec : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander List.nil] opaque unexpandListNil : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander List.cons] opaque unexpandListCons : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Subtype] opaque unexpandSubtype : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Unit.unit] opaque unexpandUnit : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Sigma] opaque unexpandSigma : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander PSigma] opaque unexpandPSigma : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander Prod.mk] opaque unexpandProdMk : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander GetElem.getElem] opaque unexpandGetElem : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander GetElem?.getElem?] opaque unexpandGetElem? : Lean.PrettyPrinter.Unexpander
@[extern "_", app_unexpander GetElem?.getElem!] opaque unexpandGetElem! : Lean.PrettyPrinter.Unexpander
