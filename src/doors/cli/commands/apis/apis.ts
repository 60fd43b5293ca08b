import type { OptionSpecs } from '../../command.ts'
import type { ByHand } from '../../operations/to-command.ts'
import { addApi, editApi, previewApi, refreshApi } from './manage-apis.ts'
import { decideOperation } from './decide-operations.ts'

const documentOptions = {
  url: { type: 'string', value: 'URL', summary: 'add, preview: the address of the document' },
  file: {
    type: 'string',
    value: 'FILE',
    summary: 'add, preview, refresh: its file on this machine; - reads stdin',
  },
} as const satisfies OptionSpecs

const settingOptions = {
  at: { type: 'string', value: 'URL', summary: 'add, edit: the address of the API itself' },
  title: { type: 'string', value: 'TEXT', summary: 'add, edit: its name for people' },
  auth: {
    type: 'string',
    value: 'SCHEME=SECRET',
    multiple: true,
    summary: 'add, edit: the secret that signs requests, by scheme of the document; may repeat',
  },
  header: {
    type: 'string',
    value: 'K=V',
    multiple: true,
    summary: 'add, edit: sent with every request; may repeat',
  },
  include: {
    type: 'string',
    value: 'PATTERN',
    multiple: true,
    summary: 'add, edit: only these operations; names, "GET /repos/*" or tag:<tag>',
  },
  exclude: {
    type: 'string',
    value: 'PATTERN',
    multiple: true,
    summary: 'add, edit: without these operations',
  },
  effect: {
    type: 'string',
    value: 'PATTERN=EFFECT',
    multiple: true,
    summary: 'add, edit: a stronger effect than that of the verb; may repeat',
  },
  timeout: { type: 'string', value: 'TIME', summary: 'add, edit: how long a call may take (30s)' },
  pin: { type: 'string', value: 'on|off', summary: 'add, edit: set changed operations aside (on)' },
  private: { type: 'boolean', summary: 'add, edit, preview: allow a private address' },
} as const satisfies OptionSpecs

const server = {
  server: { type: 'string', value: 'URL', summary: 'the Toolcrib server to talk to' },
} as const satisfies OptionSpecs

const decisionOptions: OptionSpecs = {
  hash: { type: 'string', value: 'HASH', summary: 'accept, reject: the definition you have seen' },
  all: { type: 'boolean', summary: 'accept, reject: every operation that is set aside' },
  yes: { type: 'boolean', summary: 'do not ask' },
}

/** The verbs of `toolcrib apis` that are more than one operation. */
export const apisByHand: ByHand = {
  ownsUrl: ([action = '']) => ['add', 'preview'].includes(action),
  actions: {
    preview: {
      usage: ['apis preview [--url] URL | --file FILE'],
      options: { ...documentOptions, private: settingOptions.private, ...server },
      maxWords: 1,
      run: previewApi,
    },
    add: {
      usage: ['apis add <api> [--url] URL | --file FILE [--auth SCHEME=SECRET]'],
      options: { ...documentOptions, ...settingOptions, ...server },
      maxWords: 2,
      run: addApi,
    },
    edit: {
      usage: ['apis edit <api> [the options of add]'],
      options: settingOptions,
      maxWords: 1,
      run: editApi,
    },
    refresh: {
      usage: ['apis refresh <api> [--file FILE]'],
      options: { file: documentOptions.file },
      maxWords: 1,
      run: refreshApi,
    },
    accept: {
      usage: [
        'apis accept|reject <api> <operation> [--hash HASH] [--yes]',
        'apis accept|reject <api> --all [--yes]',
      ],
      options: decisionOptions,
      maxWords: 2,
      run: decideOperation('accept'),
    },
    reject: { usage: [], options: decisionOptions, maxWords: 2, run: decideOperation('reject') },
  },
}
