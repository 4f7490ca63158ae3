interface ImportMetaEnv {
  /** Where the server is, when it is not where the page came from: `https://host:port`. */
  readonly VITE_API_ORIGIN?: string
}
/** The script of the guest pages, made small; see guest-plugins.ts. */
declare module 'virtual:guest-script' {
  const script: string
  export default script
}
