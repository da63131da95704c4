package kotlin.coroutines;

/** Replaces the type of Kotlin, which its compiler adds as the last parameter of a suspending function. */
public interface Continuation<T> {}
