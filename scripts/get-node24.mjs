import path from 'node:path';
import { getPackage } from './get-package.mjs';

/** The path of a Node 24 binary. Its packages are plain archives. */
export function getNode24() {
  const windows = process.platform === 'win32';
  const folder = getPackage(`node-${windows ? 'win' : process.platform}-${process.arch}`, '24');
  return path.join(folder, 'bin', windows ? 'node.exe' : 'node');
}
