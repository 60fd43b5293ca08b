import { z } from 'toolcrib'

/** One recurring task, as the time-savings and business-case tools ask for it. */
export const savedTask = z.object({
  name: z.string().min(1).max(120).describe('What people do, in a few words'),
  minutesEach: z.number().min(0).max(2400).describe('Minutes for doing it once'),
  timesPerWeek: z.number().min(0).max(10_000).describe('How often one person does it in a week'),
  people: z.int().min(1).max(1_000_000).describe('How many people do it'),
  savablePercent: z
    .number()
    .min(0)
    .max(100)
    .describe('Share of the time that would no longer be needed, in percent'),
})

export type SavedTask = z.infer<typeof savedTask>

/** Hours this task takes in a week, over all people. */
export function weeklyHours(task: SavedTask): number {
  return (task.minutesEach * task.timesPerWeek * task.people) / 60
}

/** Of these, the hours that would be saved. */
export function savedHours(task: SavedTask): number {
  return (weeklyHours(task) * task.savablePercent) / 100
}
