/** What was heard so far, to be waited on without a clock. */
export class Heard<T> {
  readonly all: T[] = [];
  private readonly looking = new Set<() => void>();

  add(item: T): void {
    this.all.push(item);
    for (const look of [...this.looking]) look();
  }

  /** The first that fits, heard already or still to come. */
  until<S extends T>(fits: (item: T) => item is S): Promise<S>;
  until(fits: (item: T) => boolean): Promise<T>;
  until(fits: (item: T) => boolean): Promise<T> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.all.find(fits);
        if (found === undefined) return;
        this.looking.delete(look);
        resolve(found);
      };
      this.looking.add(look);
      look();
    });
  }

  /** Resolves once so many that fit were heard. */
  async count(times: number, fits: (item: T) => boolean = () => true): Promise<T[]> {
    await this.until(() => this.all.filter(fits).length >= times);
    return this.all.filter(fits);
  }

  clear(): void {
    this.all.length = 0;
  }
}
