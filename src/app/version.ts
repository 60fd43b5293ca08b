import packageJson from '../../package.json' with { type: 'json' }

/** This Toolcrib's version. */
export const version: string = packageJson.version
