import { readinessDimensions, readinessQuestions } from './readiness-questions.ts'
import type { ReadinessDimension, ReadinessQuestion } from './readiness-questions.ts'
import { sum } from './rounding.ts'

/** Answers from 1 to 5 by dimension and question. */
export type ReadinessAnswers = Record<ReadinessDimension, Readonly<Record<string, number>>>

export type ReadinessWeights = Record<ReadinessDimension, number>

export interface DimensionScore {
  dimension: ReadinessDimension
  score: number
  weight: number
  /** The lowest answered question: where to begin. */
  weakestQuestion: string
  nextStep: string
}

/** Levels from the top; a score belongs to the first whose `from` it reaches. */
const levels = [
  {
    level: 'Leading',
    from: 80,
    meaning: 'AI is part of daily work: scale what works and share it.',
  },
  { level: 'Scaling', from: 60, meaning: 'The ground is good: take proven uses to more teams.' },
  { level: 'Building', from: 40, meaning: 'Chosen uses can succeed: run two or three with care.' },
  {
    level: 'Exploring',
    from: 20,
    meaning: 'Try small things while the weakest points are mended.',
  },
  { level: 'Starting', from: 0, meaning: 'Lay the basics first: data, rules and people.' },
] as const

export type ReadinessLevel = (typeof levels)[number]['level']

export const readinessLevels = levels.map(({ level }) => level)

/** The level of a score between 0 and 100, and what it means. */
export function levelOf(score: number): { level: ReadinessLevel; meaning: string } {
  const { level, meaning } = levels.find(({ from }) => score >= from) ?? levels[4]
  return { level, meaning }
}

/** Every dimension's score between 0 and 100, not rounded, in the order of the questions. */
export function scoreDimensions(
  answers: ReadinessAnswers,
  weights: ReadinessWeights,
): DimensionScore[] {
  return readinessDimensions.map((dimension) => {
    const questions: Readonly<Record<string, ReadinessQuestion>> = readinessQuestions[dimension]
    const given = Object.keys(questions).map((key) => ({
      key,
      answer: answers[dimension][key] ?? 1,
    }))
    const lowest = given.reduce((low, next) => (next.answer < low.answer ? next : low))
    const mean = sum(given.map(({ answer }) => answer)) / given.length
    return {
      dimension,
      score: ((mean - 1) / 4) * 100,
      weight: weights[dimension],
      weakestQuestion: questions[lowest.key]?.question ?? lowest.key,
      nextStep: nextStepFor(lowest.answer, questions[lowest.key]),
    }
  })
}

/** The mean of the dimensions by weight. The weights must not all be zero. */
export function overallScore(scores: readonly DimensionScore[]): number {
  const weights = sum(scores.map(({ weight }) => weight))
  return sum(scores.map(({ score, weight }) => score * weight)) / weights
}

/** A dimension in which even the lowest answer is good needs keeping, not a project. */
function nextStepFor(lowestAnswer: number, question: ReadinessQuestion | undefined): string {
  if (question === undefined || lowestAnswer >= 4) return 'Keep it: look again in a year.'
  return question.nextStep
}
