interface ImportMetaEnv {
  /** The language of the build; see build.ts. */
  readonly VITE_LANGUAGE: string
  /** Where the server is, when it is not where the page came from: `https://host:port`. */
  readonly VITE_API_ORIGIN?: string
}
/** The minified script of the guest pages; see vite.guest.config.ts. */
declare const GUEST_SCRIPT: string
/** Likewise, of the pages of guest galleries. */
declare const GALLERY_SCRIPT: string
/** The script that adds photos of guests, bundled. */
declare const ADD_SCRIPT: string
/** Likewise. */
declare const SCANNED_SCRIPT: string
declare module '@zxcvbn-ts/language-common/src/passwords.json' {
  /** In lower case, the most common first; in a build, those of them that are compared with. */
  const passwords: readonly string[]
  export default passwords
}
