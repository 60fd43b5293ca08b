/** One question of the readiness check, and what to do when its answer is low. */
export interface ReadinessQuestion {
  question: string
  nextStep: string
}

/**
 * Six dimensions with three questions each, answered from 1 (not at all) to 5 (fully). The keys are
 * the input's keys; a question added here is asked, scored and advised on, once the schema names it.
 */
export const readinessQuestions = {
  data: {
    available: {
      question: 'The data for the intended uses exists in digital form',
      nextStep: 'List the three most wanted uses and, for each, the data it needs and where it is.',
    },
    quality: {
      question: 'The data is correct, complete and up to date',
      nextStep:
        'Measure gaps and errors in one important data set, and name an owner who mends it.',
    },
    access: {
      question: 'People and systems can get at the data without long requests',
      nextStep: 'Open one governed way to read the most used data, with rights by role.',
    },
  },
  processes: {
    documented: {
      question: 'The important processes are written down as they really run',
      nextStep: 'Write down one process with those who do it, including its exceptions.',
    },
    measured: {
      question: 'Time, volume and errors of the processes are measured',
      nextStep: 'Count volume, minutes and errors of one process for four weeks.',
    },
    stable: {
      question: 'The processes change rarely and the same way everywhere',
      nextStep: 'Agree on one way of working between the sites before anything is automated.',
    },
  },
  skills: {
    users: {
      question: 'People use AI tools in their work and know their limits',
      nextStep: 'Give every team two hours of practice on its own tasks, with what not to do.',
    },
    builders: {
      question: 'There are people who can build and operate AI solutions',
      nextStep: 'Free two people for half their time, and pair them with somebody experienced.',
    },
    leaders: {
      question: 'Managers can judge where AI helps and where it does not',
      nextStep: 'Take managers through two real cases: one that worked and one that was stopped.',
    },
  },
  technology: {
    integration: {
      question: 'The main systems can be reached through interfaces',
      nextStep: 'Draw the main systems with the interfaces they have, and close the worst gap.',
    },
    platform: {
      question: 'There is a safe place to run models, tools and agents',
      nextStep: 'Choose one approved place for models and tools, and take the others away.',
    },
    security: {
      question: 'Access, secrets and logs are under control',
      nextStep:
        'Move secrets into a vault and write down every tool call before an agent gets one.',
    },
  },
  governance: {
    rules: {
      question: 'It is clear which data and decisions AI may be used for',
      nextStep: 'Write one page: what is allowed, what needs a person, what is forbidden.',
    },
    risk: {
      question: 'Risks of AI uses are assessed before they start',
      nextStep: 'Assess every use on one page before it starts, with a named person who signs.',
    },
    accountability: {
      question: 'Every AI use has a responsible person',
      nextStep:
        'Keep a list of AI uses with a responsible person each, and go through it quarterly.',
    },
  },
  culture: {
    openness: {
      question: 'People are willing to try new ways of working',
      nextStep: 'Start where people ask for help themselves, and let them tell the others.',
    },
    sponsorship: {
      question: 'The leadership backs it with time and money',
      nextStep: 'Agree with one member of the leadership on a goal, a budget and a date.',
    },
    learning: {
      question: 'Failed trials are talked about and learnt from',
      nextStep: 'End every trial with a short open review, whatever came out.',
    },
  },
} as const satisfies Record<string, Record<string, ReadinessQuestion>>

export type ReadinessDimension = keyof typeof readinessQuestions

/** In the order in which people are asked. */
export const readinessDimensions = Object.keys(readinessQuestions) as ReadinessDimension[]
