interface ImportMetaEnv {
  /** Where the server is, when it is not where the page came from: `https://host:port`. */
  readonly VITE_API_ORIGIN?: string
}
