import { describeScheduleRuns } from '../../store/contract/schedule-runs.contract.ts'
import { describeSchedules } from '../../store/contract/schedules.contract.ts'
import { createMemoryStore } from './create-memory-store.ts'

const store = createMemoryStore()

describeSchedules(() => store)
describeScheduleRuns(() => store)
