;; What sessions in Emacs share: answers for the test, waiting for $PATIENCE seconds at most, and going to a place.

(require 'json)

(defvar answers nil)

(defun answer (name value)
  (push (cons name value) answers))

(defun wait-for (what condition)
  (let ((deadline (+ (float-time) (string-to-number (getenv "PATIENCE")))))
    (while (not (funcall condition))
      (when (> (float-time) deadline)
        (error "Timed out waiting for %s" what))
      (accept-process-output nil 0.02))))

(defun place (text offset)
  (goto-char (point-min))
  (search-forward text)
  (goto-char (+ (match-beginning 0) offset)))

(defun run-steps (session)
  (condition-case problem
      (funcall session)
    (error (answer 'error (error-message-string problem))))
  (set-buffer-modified-p nil)
  (with-temp-file (getenv "ANSWERS")
    (insert (json-encode answers)))
  (kill-emacs))
