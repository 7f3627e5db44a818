export class Six {
  readonly sum: number;
  constructor(a: number, b: number, c: number, d: number, e: number, f: number) {
    this.sum = a + b + c + d + e + f;
  }
}
