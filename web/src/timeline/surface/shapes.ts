/** Buffers for drawing many shapes of one colour at once. */

/**
 * Coordinates of rectangles (x, y, width, height), lines (x0, y0, x1, y1), triangles (three points)
 * or curves (four points).
 */
export class Shapes {
  data = new Float32Array(256);
  length = 0;

  rectangle(x: number, y: number, width: number, height: number): void {
    this.four(x, y, width, height);
  }

  line(x0: number, y0: number, x1: number, y1: number): void {
    this.four(x0, y0, x1, y1);
  }

  triangle(x0: number, y0: number, x1: number, y1: number, x2: number, y2: number): void {
    const at = this.room(6);
    this.data[at] = x0;
    this.data[at + 1] = y0;
    this.data[at + 2] = x1;
    this.data[at + 3] = y1;
    this.data[at + 4] = x2;
    this.data[at + 5] = y2;
  }

  /** Appends eight numbers. */
  curve(points: ArrayLike<number>): void {
    const at = this.room(8);
    for (let index = 0; index < 8; index += 1) this.data[at + index] = points[index] ?? 0;
  }

  clear(): void {
    this.length = 0;
  }

  private four(a: number, b: number, c: number, d: number): void {
    const at = this.room(4);
    this.data[at] = a;
    this.data[at + 1] = b;
    this.data[at + 2] = c;
    this.data[at + 3] = d;
  }

  private room(count: number): number {
    const at = this.length;
    this.length = at + count;
    if (this.length > this.data.length) {
      const larger = new Float32Array(this.data.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    return at;
  }
}

/** Shapes by colour, reused from frame to frame so that drawing allocates nothing. */
export class Batch {
  private readonly shapes = new Map<string, Shapes>();

  of(colour: string): Shapes {
    let shapes = this.shapes.get(colour);
    if (shapes === undefined) {
      shapes = new Shapes();
      this.shapes.set(colour, shapes);
    }
    return shapes;
  }

  /** Draws and clears all shapes, colour by colour. */
  flush(draw: (colour: string, shapes: Shapes) => void): void {
    for (const [colour, shapes] of this.shapes) {
      if (shapes.length === 0) continue;
      draw(colour, shapes);
      shapes.clear();
    }
  }
}
