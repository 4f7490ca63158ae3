import { enhance, findElement } from './enhance.ts'

const main = findElement(document, 'main')
if (main) enhance(main)
