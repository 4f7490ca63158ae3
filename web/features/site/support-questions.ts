import type { Catalogue } from '../../messages/en.ts'

/** A question of the support page and its answer, as plain text. */
export interface SupportQuestion {
  /** The hash of the question's URL: the same in each language, and stable when the text changes. */
  id: string
  question: string
  answer: string
}
export interface QuestionGroup {
  heading: string
  questions: SupportQuestion[]
}

/** All questions of the support page, in order: its own, and those about plans, which the pricing page has too. */
export function supportQuestionGroups(
  { event, photos, account, plans }: Catalogue['supportQuestions'],
  claims: Catalogue['claims'],
): QuestionGroup[] {
  const withIds = (questions: Record<string, Omit<SupportQuestion, 'id'>>): SupportQuestion[] =>
    Object.entries(questions).map(([id, texts]) => ({ id, ...texts }))
  return [
    ...[event, photos, account].map(({ heading, questions }) => ({ heading, questions: withIds(questions) })),
    {
      heading: plans.heading,
      questions: claims.questions.map((texts, index) => ({ id: `plans-${index + 1}`, ...texts })),
    },
  ]
}
