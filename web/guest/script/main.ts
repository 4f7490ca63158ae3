import { find } from './dom.ts'
import { enhance } from './enhance.ts'

const main = find(document, 'main')
if (main) enhance(main)
