import { defineConfig } from 'toolcrib'

/** The example crib: what `npm start` runs. Every key is optional; what is not said has a default. */
export default defineConfig({
  // Scanned for *.tool.ts, also in subfolders; a changed file is reloaded while `dev` runs.
  tools: ['./tools'],

  // Folders with SKILL.md, installed at the start. An agent has one once it is given it:
  // toolcrib skills enable business-review --agent reader
  skills: ['./skills'],

  // A profile is a named set of patterns that several agents can be given.
  profiles: {
    readers: { allow: ['demo.list-notes', 'demo.stream-report', 'analysis.quick-score'] },
  },

  agents: [
    {
      slug: 'analyst',
      name: 'Analyst',
      // The offline model: it follows simple instructions and needs no key.
      model: 'demo',
      instructions:
        'You help people judge automation ideas with figures. Begin with analysis.quick-score, ask for missing figures and name your assumptions.',
      // Deny always wins: the analyst sees every demo tool but the one with a secret.
      tools: { allow: ['analysis.*', 'demo.*'], deny: ['demo.signed-webhook'] },
      autonomy: 'standard',
      // Whoever owns the crib may delete notes at once; this agent has to ask.
      hooks: { confirm: ['demo.delete-notes'], log: ['demo.add-note'] },
    },
    {
      slug: 'reader',
      name: 'Reader',
      model: 'demo',
      instructions: 'You look up notes and answer from them. You change nothing.',
      tools: { profile: 'readers' },
      autonomy: 'conservative',
    },
  ],
})
