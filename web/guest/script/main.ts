import { find } from './page.ts'
import { enhance } from './enhance.ts'

const main = find(document, 'main')
if (main) enhance(main)
