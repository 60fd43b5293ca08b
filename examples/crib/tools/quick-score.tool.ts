import { defineTool, z } from 'toolcrib'
import { sum } from '../lib/rounding.ts'

/** The questions in their order, and what a low answer is about. */
const points = {
  volume: 'how often it is done',
  rules: 'the clarity of its rules',
  digital: 'getting everything it needs in digital form',
  stability: 'its stability',
  value: 'what there is to gain',
}
const questions = Object.keys(points) as (keyof typeof points)[]
const answer = (question: string) => z.int().min(1).max(5).describe(question)

/** An answer this low stops an automation whatever the other answers are. */
const blockingAnswer = 1
const greenFrom = 70
const amberFrom = 40

/** Quick score: five questions, a traffic light, and where to go from there. */
export default defineTool({
  name: 'analysis.quick-score',
  title: 'Quick score',
  description:
    'Score an automation idea from five answers between 1 and 5: 0 to 100 with a traffic light, one sentence and the tool to use next. ' +
    'Try this first for a new idea, before any of the longer analyses. Ask the five questions; do not answer them yourself.',
  icon: 'traffic-lights',
  effect: 'read',
  inputSchema: z.object({
    volume: answer('How often is it done? 1 = a few times a year, 5 = many times a day'),
    rules: answer('How clear are the rules? 1 = judgement every time, 5 = always the same rules'),
    digital: answer('Is everything needed digital? 1 = on paper or in heads, 5 = in systems'),
    stability: answer('How stable is it? 1 = changes every month, 5 = unchanged for years'),
    value: answer('What does it cost today? 1 = hardly anything, 5 = much time, money or trouble'),
  }),
  outputSchema: z.object({
    summary: z.object({
      score: z.number().min(0).max(100),
      light: z.enum(['green', 'amber', 'red']),
      sentence: z.string(),
      nextTool: z.string().describe('Name of the tool to use next'),
      weakest: z.string().describe('The question with the lowest answer'),
    }),
    answers: z.array(z.object({ question: z.string(), answer: z.int() })),
  }),
  examples: [
    {
      label: 'A clear candidate',
      input: { volume: 5, rules: 4, digital: 4, stability: 4, value: 5 },
    },
    {
      label: 'Much to gain, but on paper',
      input: { volume: 5, rules: 5, digital: 1, stability: 5, value: 5 },
    },
    {
      label: 'Better left alone',
      input: { volume: 1, rules: 2, digital: 2, stability: 2, value: 1 },
    },
  ],
  sections: [
    { key: 'summary', label: 'Result', type: 'summary' },
    { key: 'answers', label: 'Answers', type: 'ranking' },
  ],
  view: {
    sections: [
      {
        path: 'summary',
        columns: [
          { key: 'sentence' },
          { key: 'score', unit: 'of 100' },
          { key: 'light', tones: { green: 'good', amber: 'caution', red: 'bad' } },
          { key: 'weakest', label: 'Weakest point' },
          { key: 'nextTool', label: 'Use next', format: 'code' },
        ],
      },
      { path: 'answers', ranking: { by: 'answer', label: 'question', max: 5 } },
      {
        path: 'answers',
        kind: 'radar',
        title: 'Profile',
        chart: { x: 'question', series: [{ key: 'answer' }], max: 5 },
      },
    ],
  },

  execute(input) {
    // Lowest first, and equal ones in the order of the questions, whatever order the keys came in.
    const answers = questions
      .map((question) => ({ question, answer: input[question] }))
      .toSorted((a, b) => a.answer - b.answer)
    const score = sum(answers.map(({ answer: given }) => (given - 1) * 5))
    const lowest = answers[0] ?? { question: 'volume', answer: blockingAnswer }
    const light = toLight(score, lowest.answer)
    return {
      summary: {
        score,
        light,
        sentence: `${openings[light]} Its weakest point is ${points[lowest.question]}.`,
        nextTool: nextTools[light],
        weakest: lowest.question,
      },
      answers,
    }
  },
})

type Light = 'green' | 'amber' | 'red'

const nextTools: Record<Light, string> = {
  green: 'analysis.roi',
  amber: 'analysis.process-scoper',
  red: 'analysis.ai-readiness',
}

const openings: Record<Light, string> = {
  green: 'A good candidate: work out what it returns.',
  amber: 'Parts of it can work: look at it step by step.',
  red: 'Not yet: see first how ready the organisation is.',
}

/** One blocking answer holds a good score back at amber. */
function toLight(score: number, lowest: number): Light {
  if (score < amberFrom) return 'red'
  return score >= greenFrom && lowest > blockingAnswer ? 'green' : 'amber'
}
