/**
 * How large a skill may be. It is read into memory whole when it is installed, and its text goes to
 * models: a skill that needs more than this has brought something that belongs elsewhere.
 */
export const skillBounds = Object.freeze({
  zipBytes: 5 * 1024 * 1024,
  /** All its files together, unpacked. */
  bytes: 20 * 1024 * 1024,
  files: 500,
  /** One file that is no text. */
  fileBytes: 5 * 1024 * 1024,
  textBytes: 1024 * 1024,
  frontMatterBytes: 64 * 1024,
  /** One name in a path, as most file systems have it. */
  nameBytes: 255,
  pathBytes: 512,
  /** An entry of over a megabyte that packs better than this is made to hurt. */
  ratio: 200,
  /** Kept of one skill; then the oldest that no agent has go. */
  versions: 50,
  /** Of one tenant. */
  skills: 2000,
  tenantBytes: 1024 * 1024 * 1024,
})
